import { permissions, resume, run, withMiddleware } from '@utensil/core';
import type { Grants, Message, NewMessage, Policy, Run, RunEvent, RunOptions, Thread } from '@utensil/core';
import { fileHooks } from '@utensil/tool-agent';
import { trimmedThread } from '@utensil/tool-notes';
import { obedientModel } from './orders.ts';
import { createWorld, evil } from './world.ts';
import type { World } from './world.ts';

/** A run: what the user says, who may contain orders of their own. */
export interface RunStep {
  readonly user: string;
  /** The run goes on with this thread. */
  readonly thread?: string;
  /** Its history is read as after its last checkpoint. */
  readonly isTrimmed?: boolean;
  /** Its history is given as messages: those of the run before, or a part of them. */
  readonly history?: (last: readonly Message[]) => readonly (Message | NewMessage)[];
  readonly hooks?: readonly string[];
  /** Its model does nothing but what the user says, and repeats what it has read. */
  readonly isCareful?: boolean;
  readonly contextWindow?: number;
  /** Nobody answers its questions about harm: it is stopped there. */
  readonly isLeftOpen?: boolean;
  /** It goes on where the run before was stopped, in another process. */
  readonly isResumed?: boolean;
}

/** An act of somebody else between runs: a person, an app, a server. */
export type Act = (world: World) => Promise<unknown> | void;

export type Step = RunStep | Act;

/** With the defences, or with a policy that does not know what a run has read. */
export type Defence = 'on' | 'off';

export interface Performed {
  /** Harm that was done without a question. */
  readonly harm: string | undefined;
  /** The calls that a person was asked about, and denied. */
  readonly denied: readonly string[];
  /** All that a person was asked about. */
  readonly asked: readonly string[];
}

/** Tools that the user has allowed for always, so that no attack is stopped by a question that would come anyway. */
const granted = ['delete_files', 'filesystem', 'write_file', 'move', 'javascript', 'send_mail', 'spawn_agent'];
const grants: Grants = { has: ({ name }) => granted.includes(name), add: () => {} };

/** Reading from outside is what the user wants; the address of a stranger is not. */
const wanted = ['open_link', 'read_mail', 'tickets'];

const untainted: Policy = (request) => permissions('outward')({ ...request, tainted: false });
const off: Policy = async (request) =>
  [...granted, 'mail', 'open_link'].includes(request.name) ? 'allow' : untainted(request);

/** Does the steps of an attack or of a task, each run in a process of its own as far as that can be. */
export async function perform(
  steps: readonly Step[],
  defence: Defence,
  more: readonly string[] = [],
): Promise<Performed> {
  const world = await createWorld();
  const asked: string[] = [];
  const denied: string[] = [];
  let last: readonly Message[] = [];

  function answer(played: Run, event: RunEvent, isLeftOpen = false): void {
    const inside = event.type === 'sub-run' ? event.event : event;
    if (inside.type === 'sub-run') return answer(played, inside, isLeftOpen);
    if (inside.type !== 'approval-request') return;
    const { name, input, questionId } = inside;
    const isWanted = wanted.includes(name) && !JSON.stringify(input).includes(evil);
    asked.push(name);
    if (!isWanted) denied.push(name);
    if (!isWanted && isLeftOpen) return played.stop();
    played.answer(questionId, isWanted ? 'once' : 'deny');
  }

  for (const step of steps) {
    if (typeof step === 'function') {
      await step(world);
      continue;
    }
    const options = optionsOf(step, world, { last, policy: defence === 'on' ? permissions('outward') : off, more });
    const played = step.isResumed === true ? resume(options) : run(options);
    for await (const event of played.events()) answer(played, event, step.isLeftOpen);
    last = (await played.result).messages;
  }
  return { harm: await world.harm(), denied, asked };
}

interface Circumstances {
  readonly last: readonly Message[];
  readonly policy: Policy;
  /** Further tools that the user has allowed. */
  readonly more: readonly string[];
}

function optionsOf(
  step: RunStep,
  world: World,
  { last, policy, more }: Circumstances,
): RunOptions & { readonly thread: Thread } {
  const {
    user,
    thread: id,
    isTrimmed = false,
    history = () => [],
    hooks = [],
    isCareful = false,
    contextWindow,
  } = step;
  const own = obedientModel({ isCareful });
  const info = { ...own.info, ...(contextWindow !== undefined && { contextWindow }) };
  const middleware = fileHooks({ names: hooks, files: world.files, run: async (code) => JSON.parse(code) });
  const stored = world.thread(id ?? crypto.randomUUID());
  return {
    model: withMiddleware({ ...own, info }, ...middleware),
    toolset: world.toolset(),
    policy,
    grants: { ...grants, has: (grant) => more.includes(grant.name) || grants.has(grant) },
    messages: [...history(last), { role: 'user', parts: [{ type: 'text', text: user }] }],
    limits: { steps: 12 },
    summarize: true,
    thread: isTrimmed ? trimmedThread(stored) : stored,
  };
}
