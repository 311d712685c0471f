import type { RunOptions } from './run.ts';
import type { InnerCaller } from '../call/execute.ts';
import type { Eventually } from '../base/eventually.ts';
import { fingerprint } from '../base/hash.ts';
import type { Thread } from '../thread/thread.ts';
import type { RunResult } from '../tool/run-result.ts';
import { outermost } from '../model/sub-call.ts';
import type { SubRun, SubRunOptions } from '../tool/tool.ts';
import { bounded } from './bounded.ts';
import type { CallRecords } from './call-records.ts';
import type { EarlierRun } from './earlier-run.ts';
import { createEventLog } from './event-log.ts';
import type { EventLog } from './event-log.ts';
import type { Family, Launch, LaunchedRun, LaunchOptions } from './launched-run.ts';
import type { RunInput } from './loop/state.ts';
import type { Declined } from './questions.ts';

/** What runs inside a run get from it. */
export interface OuterRun {
  readonly options: LaunchOptions;
  readonly family: Family;
  readonly path: readonly string[];
  readonly runId: string;
  readonly calls: CallRecords;
  /** It goes on after an interruption. */
  readonly isResumed: boolean;
  readonly log: EventLog;
  /** Fires when the outer run is aborted or over. */
  readonly signal: AbortSignal;
  feed(input: RunInput): void;
  /** The call that began the run may take effect from here on. */
  mark(callId: string, innerRunId?: string): Promise<void>;
  /** All that is under way may be waiting for answers. */
  park(): void;
  /** Why nothing is asked in runs that begin now; undefined if it is. */
  declined(): Declined | undefined;
  launch(options: LaunchOptions, launch: Launch): LaunchedRun;
}

/** The runs that tools have begun inside a run. */
export interface NestedRuns {
  start(by: InnerCaller, options: SubRunOptions<unknown>): Promise<SubRun>;
  /** Waits until all of them have ended and are told of; undefined if there is none. */
  ended(): Promise<unknown> | undefined;
  /** Number of those inside a call of the model that do nothing but wait for answers, and can be gone on with. */
  waiting(callId: string): number;
  /** Leaves all of them. */
  leave(): Promise<void>;
  dismiss(): void;
  stop(): void;
}

export function createNestedRuns({
  options,
  family,
  path,
  runId,
  calls,
  isResumed,
  log,
  signal,
  feed,
  mark,
  park,
  declined,
  launch,
}: OuterRun): NestedRuns {
  const { environment } = options;
  const running = new Map<LaunchedRun, string>(); // and the call of the model that it is inside of
  const untold = new Set<Promise<void>>();
  const counts = new Map<string, number>(); // of runs, by the call that began them

  /** The same after an interruption, if the tool begins the same runs again. */
  async function nextId(callId: string): Promise<string> {
    const count = (counts.get(callId) ?? 0) + 1;
    counts.set(callId, count);
    return fingerprint([runId, callId, count]);
  }

  /** The run from before an interruption, if its thread has it. */
  async function beganBefore(callId: string, id: string, thread: Thread | undefined): Promise<EarlierRun | undefined> {
    if (!isResumed) return undefined;
    const { earlierRun } = await import('./earlier-run.ts');
    const earlier = thread && (await bounded(earlierRun(thread, id), signal));
    calls.get(callId)?.replay?.takeRun(id, earlier !== undefined);
    return earlier;
  }

  async function over(id: string, result: RunResult): Promise<SubRun> {
    feed({ type: 'spent', usage: result.usage });
    return (await import('./earlier-run.ts')).endedRun(id, result);
  }

  return {
    async start({ callId, signal: givenUp }, inside) {
      const id = await nextId(callId);
      const { nestedOptions, tellOf } = await import('./nested-options.ts');
      const { messages, ...inner } = nestedOptions(options, inside);
      const thread = inner.thread ?? options.thread?.child?.(id);
      const earlier = await beganBefore(callId, id, thread);
      if (earlier !== undefined && 'result' in earlier) return over(id, earlier.result);
      const innerLog = createEventLog(id, environment.now);
      if (thread === undefined) innerLog.begin({});
      const launched = launch(
        { ...inner, ...(thread && { thread }), environment, signal: AbortSignal.any([signal, givenUp]) },
        {
          id,
          log: innerLog,
          messages: earlier === undefined ? await given(messages) : undefined,
          ...(earlier && { earlier: earlier.page }),
          family,
          markOuter: () => mark(callId, thread && id),
          parkOuter: park,
          path: [...path, callId],
        },
      );
      running.set(launched, outermost(callId));
      if (declined() === 'stopped') launched.stop();
      if (declined() === 'dismissed') launched.dismiss();
      const child = { ...launched, id, events: innerLog.read };
      const told = tellOf(child, callId, log).then((usage) => {
        running.delete(launched);
        untold.delete(told);
        feed({ type: 'spent', usage });
      });
      untold.add(told);
      return child;
    },
    ended: () => (untold.size === 0 ? undefined : Promise.all(untold)),
    waiting(callId) {
      let count = 0;
      for (const [each, outer] of running) if (outer === callId && each.waits()) count++;
      return count;
    },
    async leave() {
      const left = [...running.keys()];
      running.clear();
      untold.clear();
      await Promise.all(left.map((each) => each.leave()));
    },
    dismiss() {
      for (const each of running.keys()) each.dismiss();
    },
    stop() {
      for (const each of running.keys()) each.stop();
    },
  };
}

type GivenMessages = SubRunOptions['messages'];

function given(messages: GivenMessages): Eventually<RunOptions['messages']> {
  return typeof messages === 'function' ? messages() : messages;
}
