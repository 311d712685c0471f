import { permissions, resume, run, withMiddleware } from '@utensil/core';
import type { Grants, Message, NewMessage, Policy, Run, RunEvent, RunOptions, Thread } from '@utensil/core';
import { fileHooks } from '@utensil/tool-agent';
import { trimmedThread } from '@utensil/tool-notes';
import { obedientModel } from './orders.ts';
import { createWorld, evil } from './world.ts';
import type { World } from './world.ts';

/** A run: the user's message, which may contain instructions. */
export interface RunStep {
  readonly user: string;
  /** True if the run continues this thread. */
  readonly thread?: string;
  /** True if its history is read as after its last checkpoint. */
  readonly isTrimmed?: boolean;
  /** Its history is passed as messages: all or some of the previous run's. */
  readonly history?: (last: readonly Message[]) => readonly (Message | NewMessage)[];
  readonly hooks?: readonly string[];
  /** True for a model that only obeys the user, and repeats what it has read. */
  readonly isCareful?: boolean;
  readonly contextWindow?: number;
  /** True if nobody answers its questions about harm, so that it stops there. */
  readonly isLeftOpen?: boolean;
  /** True if it resumes the stopped run in another process. */
  readonly isResumed?: boolean;
}

/** An action between runs by someone else: a person, an app, a server. */
export type Act = (world: World) => Promise<unknown> | void;

export type Step = RunStep | Act;

/** With the defences, or with a policy that ignores what a run has read. */
export type Defence = 'on' | 'off';

export interface Performed {
  /** Harm done without a question. */
  readonly harm: string | undefined;
  /** Calls that a person was asked about and denied. */
  readonly denied: readonly string[];
  /** All calls that a person was asked about. */
  readonly asked: readonly string[];
}

/** Tools with lasting grants, so that no attack is stopped by a question that would come anyway. */
const granted = ['delete_files', 'filesystem', 'write_file', 'move', 'javascript', 'send_mail', 'spawn_agent'];
const grants: Grants = { has: ({ name }) => granted.includes(name), add: () => {} };

/** The user wants to read from outside, but not from an attacker's address. */
const wanted = ['open_link', 'read_mail', 'tickets'];

const untainted: Policy = (request) => permissions('outward')({ ...request, tainted: false });
const off: Policy = async (request) =>
  [...granted, 'mail', 'open_link'].includes(request.name) ? 'allow' : untainted(request);

/** Runs the steps of an attack or task, each run as isolated as a separate process would be. */
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
  /** Additional tools with grants. */
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
