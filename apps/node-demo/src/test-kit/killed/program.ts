// A program that is there to be killed: it plays the script in a folder, or goes on with it, and says in a file what
// happens. At the boundary that it is told, it kills itself with a signal that nothing can catch. Each line of its input
// is a job, and a line of its output says that it is done.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import {
  messagesOf,
  type QuestionAnswer,
  type ModelRequest,
  type RunOptions,
  callsOf,
  createRecords,
  openThread,
  resume,
  run,
  type Thread,
} from '@utensil/core';
import { filesystemStorage, processHolder } from '@utensil/storage-filesystem';
import { createBoundaries, labelOf, type Reached, watchCommits, watchEffects } from './boundaries.ts';
import { policy, scriptedModel, scriptedToolset, type Stage } from './script.ts';

/** What the program is to do. */
export interface Job {
  readonly root: string;
  /** A file outside the storage, with a line for each effect. */
  readonly effects: string;
  /** A file for what is said. */
  readonly said: string;
  /** 1 begins the run, any other goes on with it. */
  readonly attempt: number;
  readonly killAt?: string;
  /** What is said of calls that may have happened. */
  readonly answer: Recovery;
}

export type Recovery = 'accept' | 'reject' | 'again' | 'nobody';

/** Something that is said. */
export type Said =
  | { readonly type: 'boundary'; readonly name: string }
  /** What the handler of the run can do. */
  | { readonly type: 'handler'; readonly methods: readonly string[] }
  /** Of the thread, before it is gone on with: the calls, and those that have a result. */
  | { readonly type: 'found'; readonly calls: readonly string[]; readonly results: readonly string[] }
  | { readonly type: 'request'; readonly request: ModelRequest }
  | { readonly type: 'asked'; readonly question: string; readonly label: string }
  | { readonly type: 'end'; readonly status: string; readonly error?: string };

/** The time of the run is over when the script says so. */
const timeMs = 86_400_000;

export async function work(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    await play(JSON.parse(line) as Job);
    process.stdout.write('done\n');
  }
}

async function play({ root, effects, said, attempt, killAt, answer }: Job): Promise<void> {
  const say = (each: Said): void => appendFileSync(said, `${JSON.stringify(each)}\n`);
  const at = createBoundaries((name) => {
    say({ type: 'boundary', name });
    if (name === killAt) process.kill(process.pid, 'SIGKILL');
  });
  using time = holdTime();
  const stage = createStage({ attempt, effects, endTime: time.end }, at);
  const records = createRecords(watchCommits(filesystemStorage(root), at));
  const thread = openThread(records, 'killed', { holder: processHolder() });
  const options: Omit<RunOptions, 'messages'> & { readonly thread: Thread } = {
    thread,
    model: scriptedModel(stage, (request) => say({ type: 'request', request })),
    toolset: scriptedToolset(stage),
    policy,
    limits: { timeMs, steps: 2 },
    onLimit: () => true,
    interactive: answer !== 'nobody',
    wrapHandler(handler) {
      say({ type: 'handler', methods: Object.keys(handler) });
      return watchEffects(handler, at);
    },
  };
  if (attempt > 1) say(await whatIsThere(thread));
  const playing = attempt > 1 ? resume(options) : run({ ...options, messages: 'Go.' });
  for await (const event of playing.events()) {
    if (event.type !== 'approval-request' && event.type !== 'recovery-request') continue;
    const label = labelOf(event.callId);
    say({ type: 'asked', question: event.type, label });
    at(`before the answer to ${label}`);
    playing.answer(event.questionId, event.type === 'approval-request' ? 'once' : (answer as QuestionAnswer));
    at(`after the answer to ${label}`);
  }
  const { status, error } = await playing.result;
  say({ type: 'end', status, ...(error && { error: error.message }) });
}

interface StageSetup extends Pick<Stage, 'attempt' | 'endTime'> {
  readonly effects: string;
}

function createStage({ attempt, effects, endTime }: StageSetup, at: Reached): Stage {
  const happened = new Set<string>();
  const waiting = new Map<string, () => void>();
  return {
    attempt,
    effect(label) {
      at(`before the effect of ${label}`);
      appendFileSync(effects, `${label}\n`);
      at(`after the effect of ${label}`);
      happened.add(label);
      waiting.get(label)?.();
    },
    happened: (label) =>
      happened.has(label) ? Promise.resolve() : new Promise((resolve) => waiting.set(label, resolve)),
    endTime,
  };
}

/** Catches the timer of the run's time: `end` fires it. */
function holdTime(): Disposable & { end(): void } {
  const original = globalThis.setTimeout;
  let fire: (() => void) | undefined;
  globalThis.setTimeout = ((then: () => void, ms?: number, ...given: unknown[]) => {
    if (ms === timeMs) fire ??= then; // the first: the runs inside have one too
    return original(then, ms, ...given);
  }) as typeof setTimeout;
  return { end: () => fire?.(), [Symbol.dispose]: () => void (globalThis.setTimeout = original) };
}

async function whatIsThere(thread: Thread): Promise<Said> {
  const messages = await messagesOf(thread);
  const parts = messages.flatMap((message) => message.parts);
  const results = parts.flatMap((part) => (part.type === 'tool-result' ? [labelOf(part.callId)] : []));
  return { type: 'found', calls: messages.flatMap(callsOf).map(({ callId }) => labelOf(callId)), results };
}
