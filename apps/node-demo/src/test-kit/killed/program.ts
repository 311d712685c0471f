// A program made to be killed: it plays the script in a folder, or resumes it, and reports to a file. At the given boundary
// it kills itself with a signal that nothing can catch. Each line of its input is a job, and a line of its output reports
// the end of one.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import {
  messagesOf,
  type QuestionAnswer,
  type ModelRequest,
  type RunOptions,
  answerQuestion,
  callsOf,
  type Claim,
  createRecords,
  hmacSeals,
  openQuestions,
  openThread,
  resume,
  run,
  type Run,
  type RunEvent,
  type Thread,
} from '@utensil/core';
import { filesystemStorage, processHolder } from '@utensil/storage-filesystem';
import { between, createBoundaries, labelOf, type Reached } from './boundaries.ts';
import { parks, policy, scriptedModel, scriptedToolset, type Stage } from './script.ts';
import { watchedModel } from './watched-model.ts';
import { watchedStorage } from './watched-storage.ts';
import { watchedThread } from './watched-thread.ts';
import { watchedPolicy } from './watched-tool.ts';

/** One job of the program. */
export interface Job {
  readonly root: string;
  /** A file outside the storage, with a line for each effect. */
  readonly effects: string;
  /** File for the reports. */
  readonly said: string;
  /** 1 begins the run, any other number resumes it. */
  readonly attempt: number;
  readonly killAt?: string;
  /** Answer to questions about calls that may have happened. */
  readonly answer: Recovery;
}

export type Recovery = 'accept' | 'reject' | 'again' | 'nobody';

/** One report. */
export type Said =
  | { readonly type: 'boundary'; readonly name: string }
  /** A run has the thread. */
  | { readonly type: 'claimed'; readonly fence: number; readonly runId: string }
  /** Calls in the thread before it is resumed, and the calls with results. */
  | { readonly type: 'found'; readonly calls: readonly string[]; readonly results: readonly string[] }
  | { readonly type: 'request'; readonly request: ModelRequest }
  | { readonly type: 'asked'; readonly question: string; readonly label: string }
  | { readonly type: 'end'; readonly status: string; readonly error?: string };

/** The script decides when the times of a run are over. */
const timeMs = 86_400_000;
const parkAfterMs = 43_200_000;

/** Every process of the app has the key. */
const seals = hmacSeals(new Uint8Array(32).fill(7));

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
  using timers = holdTimers();
  let claim: Claim | undefined;
  let passedMs = 0;
  const claimed = (taken: Claim): void => {
    claim = taken;
    say({ type: 'claimed', fence: taken.fence, runId: taken.runId });
  };
  const stage = createStage(
    {
      attempt,
      effects,
      draftIsDue: () => void (passedMs += 10_000),
      renew: async () => claim?.renew(),
      endTime: () => timers.fire(timeMs),
    },
    at,
  );
  const records = createRecords(watchedStorage(filesystemStorage(root), at));
  const thread = watchedThread(openThread(records, 'killed', { holder: processHolder() }), at, claimed);
  const options: Omit<RunOptions, 'messages'> & { readonly thread: Thread } = {
    thread,
    model: watchedModel(
      scriptedModel(stage, (request) => say({ type: 'request', request })),
      at,
    ),
    toolset: scriptedToolset(stage, at),
    policy: watchedPolicy(policy, at),
    seals,
    environment: { id: () => randomUUID(), now: () => Date.now() + passedMs },
    limits: { timeMs, steps: 2 },
    onLimit: () => between(at, 'onLimit', () => true),
    interactive: answer !== 'nobody',
    questions: { parkAfterMs },
  };
  if (attempt > 1) say(await whatIsThere(thread));

  /** Answers what is asked, until the run is over or parks. */
  async function follow(playing: Run): Promise<Awaited<Run['result']>> {
    for await (const told of playing.events()) {
      const event = innermost(told); // a run inside asks, too
      if (event.type !== 'approval-request' && event.type !== 'recovery-request') continue;
      const label = labelOf(event.callId);
      say({ type: 'asked', question: event.type, label });
      const given = event.type === 'approval-request' ? 'once' : (answer as QuestionAnswer);
      if (event.type === 'approval-request' && parks.includes(label)) timers.fire(parkAfterMs);
      else between(at, `run.answer(${label})`, () => playing.answer(event.questionId, given));
    }
    return playing.result;
  }

  let ended = await follow(attempt > 1 ? resume(options) : run({ ...options, messages: 'Go.' }));
  while (ended.status === 'needs-approval') {
    for (const { id, callId } of await openQuestions(thread))
      await between(at, `answerQuestion(${labelOf(callId)})`, () =>
        answerQuestion(thread, { questionId: id, answer: 'once', seals }),
      );
    timers.begin();
    ended = await follow(resume(options));
  }
  await follow(resume(options)); // nothing is left to be done
  const { status, error } = ended;
  say({ type: 'end', status, ...(error && { error: error.message }) });
}

interface StageSetup extends Pick<Stage, 'attempt' | 'draftIsDue' | 'renew' | 'endTime'> {
  readonly effects: string;
}

function createStage({ effects, ...given }: StageSetup, at: Reached): Stage {
  const happened = new Set<string>();
  const waiting = new Map<string, () => void>();
  return {
    ...given,
    effect(label) {
      at(`before the effect of ${label}`);
      appendFileSync(effects, `${label}\n`);
      at(`after the effect of ${label}`);
      happened.add(label);
      waiting.get(label)?.();
    },
    happened: (label) =>
      happened.has(label) ? Promise.resolve() : new Promise((resolve) => waiting.set(label, resolve)),
  };
}

interface HeldTimers extends Disposable {
  /** Fires the first timer of `ms` milliseconds set since the run began: inner runs set such timers too. */
  fire(ms: number): void;
  /** Another run begins. */
  begin(): void;
}

/** Catches the timers of the run, which are too long to be waited for. */
function holdTimers(): HeldTimers {
  const original = globalThis.setTimeout;
  const held = new Map<number, () => void>();
  globalThis.setTimeout = ((then: () => void, ms = 0, ...given: unknown[]) => {
    if (ms === parkAfterMs || !held.has(ms)) held.set(ms, then); // each question has one to park, the run one for its time
    return original(then, ms, ...given);
  }) as typeof setTimeout;
  return {
    fire: (ms) => held.get(ms)?.(),
    begin: () => held.clear(),
    [Symbol.dispose]: () => void (globalThis.setTimeout = original),
  };
}

function innermost(event: RunEvent): RunEvent {
  return event.type === 'sub-run' ? innermost(event.event) : event;
}

async function whatIsThere(thread: Thread): Promise<Said> {
  const messages = await messagesOf(thread);
  const parts = messages.flatMap((message) => message.parts);
  const results = parts.flatMap((part) => (part.type === 'tool-result' ? [labelOf(part.callId)] : []));
  return { type: 'found', calls: messages.flatMap(callsOf).map(({ callId }) => labelOf(callId)), results };
}
