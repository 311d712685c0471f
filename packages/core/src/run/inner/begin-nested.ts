import { fingerprintNow } from '../../base/hash-now.ts';
import { canonicalJson, toJson } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import type { InnerCaller } from '../../call/call-context.ts';
import type { Usage } from '../../model/usage.ts';
import type { Thread } from '../../thread/thread.ts';
import type { SubRun, SubRunOptions } from '../../tool/tool.ts';
import { bounded } from '../bounded.ts';
import type { Ledger } from '../budget/ledger.ts';
import { identityOf } from '../calls/call-identity.ts';
import type { CallRecords } from '../calls/call-records.ts';
import { earlierRun, endedRun } from '../earlier-run.ts';
import type { EarlierRun } from '../earlier-run.ts';
import { createEventLog } from '../event-log.ts';
import type { EventLog } from '../event-log.ts';
import type { Family, Launch, LaunchedRun, LaunchOptions } from '../launched-run.ts';
import { nestedOptions, tellOf } from './nested-options.ts';
import type { Declined } from '../questions/questions.ts';
import { taintByHistory } from '../taint.ts';

/** The outer run, as its inner runs see it. */
export interface OuterRun {
  readonly options: LaunchOptions;
  readonly family: Family;
  readonly path: readonly string[];
  readonly runId: string;
  readonly calls: CallRecords;
  /** True if it continues after an interruption. */
  readonly isResumed: boolean;
  readonly log: EventLog;
  /** Fires when the outer run is aborted or over. */
  readonly signal: AbortSignal;
  /** As in `RunContext`. */
  pauseTime(callId: string, by: 1 | -1): void;
  /** Called with the usage of inner runs. */
  spend(usage: Usage): void;
  ledger(): Ledger | undefined;
  /** Called before the call that began the run may take effect. */
  mark(callId: string, innerRunId?: string): Promise<void>;
  /** Called if everything under way may be waiting for answers. */
  park(): void;
  /** Reason why new inner runs ask nothing; undefined if they do. */
  declined(): Declined | undefined;
  launch(options: LaunchOptions, launch: Launch): LaunchedRun;
}

/** An inner run to begin. */
export interface NestedStart {
  readonly by: InnerCaller;
  readonly options: SubRunOptions<unknown>;
  /** Numbers of runs begun so far, by call and task. */
  readonly counts: Map<string, number>;
}

/** An inner run. */
export interface Nested {
  readonly child: SubRun;
  /** Absent: it was over before an interruption. */
  readonly launched?: LaunchedRun;
  /** Resolves once it has ended and all its events are reported. */
  readonly told: Promise<void>;
}

/** Begins or continues an inner run. Its id is stable over interruptions if its tool begins the same runs again. */
export async function beginNested(outer: OuterRun, { by, options, counts }: NestedStart): Promise<Nested> {
  const { environment } = outer.options;
  const { callId } = by;
  const { messages, ...inner } = nestedOptions(outer.options, options);
  const id = idOf(outer, { by, options, counts });
  const thread = inner.thread ?? outer.options.thread?.child?.(id);
  const earlier = outer.isResumed ? await beganBefore(outer, { callId, id, thread }) : undefined;
  if (earlier !== undefined && 'result' in earlier) {
    const { result } = earlier;
    taintByHistory(outer.family.taint, result.messages);
    outer.ledger()?.charge(result.usage);
    outer.spend(result.usage);
    return { child: endedRun(id, result), told: Promise.resolve() };
  }
  const task = typeof messages === 'function' && earlier === undefined ? await messages() : messages;
  const log = createEventLog(id, environment.now);
  if (thread === undefined) log.begin({});
  const signal = AbortSignal.any([outer.signal, by.signal]);
  const launched = outer.launch(
    { ...inner, ...(thread && { thread }), environment, signal },
    {
      id,
      log,
      messages: typeof task === 'function' || earlier !== undefined ? undefined : task,
      ...(earlier && { earlier: earlier.page }),
      family: outer.family,
      markOuter: () => outer.mark(callId, thread && id),
      parkOuter: outer.park,
      pauseOuter: (by) => outer.pauseTime(callId, by),
      spendOuter: outer.spend,
      ledger: outer.ledger(),
      path: [...outer.path, callId],
    },
  );
  const child = { ...launched, id, events: log.read };
  return { child, launched, told: tellOf(child, callId, outer.log) };
}

/** Identified by its task, because its tool may begin its runs in another order the next time. */
function idOf(outer: OuterRun, { by, options: { messages }, counts }: NestedStart): string {
  const call = identityOf(by.callId, { ...outer, thread: outer.options.thread });
  const task = canonicalJson([call, taskOf(messages)]);
  const before = counts.get(task) ?? 0;
  counts.set(task, before + 1);
  return fingerprintNow([outer.runId, task, before]);
}

/** The stable part of messages, without ids and times. */
function taskOf(messages: SubRunOptions<unknown>['messages']): Json {
  if (typeof messages === 'string') return messages;
  return typeof messages === 'function' ? null : messages.map(({ role, parts }) => toJson([role, parts]));
}

/** State of the run's thread from before an interruption. */
async function beganBefore(
  { calls, signal }: OuterRun,
  { callId, id, thread }: { readonly callId: string; readonly id: string; readonly thread: Thread | undefined },
): Promise<EarlierRun | undefined> {
  const earlier = thread && (await bounded(earlierRun(thread, id), signal));
  calls.get(callId)?.replay?.takeRun(id, earlier !== undefined);
  return earlier;
}
