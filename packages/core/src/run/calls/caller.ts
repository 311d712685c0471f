import { isPromise } from '../../base/eventually.ts';
import { changePauses } from '../../base/pauses.ts';
import type { Pauses } from '../../base/pauses.ts';
import type { Cancellation } from '../../call/attempt.ts';
import type { CallContext, InnerCalls } from '../../call/call-context.ts';
import { callReference } from '../../model/message.ts';
import type { ToolCallPart } from '../../model/message.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import type { CallEntry } from '../../thread/entry.ts';
import type { ToolResult } from '../../tool/result.ts';
import type { RunContext } from '../run-context.ts';
import type { CallBeginning } from '../run-thread.ts';
import { recordOf } from './call-records.ts';
import type { CallRecord, CallRecords, TurnStorage } from './call-records.ts';
import { cancelledByUser } from '../loop/calls.ts';
import { identityOf } from './call-identity.ts';
import { outermost } from '../../model/sub-call.ts';
import { callsAround } from './calls-around.ts';
import { readBackOf, sharedContext } from './shared-context.ts';
import { CallObserver, taintBy } from '../taint.ts';

/** A running call: one by the model, or one by a tool. */
export interface RunningCall {
  readonly callId: string;
  readonly name: string;
  readonly calledAs?: string;
  readonly parentCallId?: string;
}

/** Result of an executed call. */
export interface Executed {
  readonly result: ToolResult;
  readonly durationMs: number;
  /** It reached the world outside: by itself, or by a call or a run inside. */
  readonly openWorld: boolean;
}

/** Runs prepared calls of a run. */
export interface Caller {
  /** `givenUp`: fires when the call whose tool made this one is cancelled. */
  execute(call: RunningCall, ready: PreparedCall, givenUp?: AbortSignal): Promise<Executed>;
  /**
   * Entry of the beginning of a call, to store in the commit before it is executed. Undefined if the call cannot take effect, has
   * begun, or belongs to an outer call.
   */
  beginning(call: ToolCallPart): CallBeginning | undefined;
  /** Cancels running calls; later ones are not affected. */
  cancel(reason: unknown): void;
  /** True if a call is running. */
  runs(callId: string): boolean;
  /** Cancels one call that runs, or is about to. False if there is none. */
  cancelCall(callId: string, reason?: string): boolean;
  /** Time of a call, and of the calls around it, stands still while people are waited for (1), or goes on (-1). */
  pause(callId: string, by: 1 | -1): void;
  /**
   * Marks that a call may take effect from here on through an inner run. `innerRunId`: that run, if it has a thread.
   */
  mark(callId: string, innerRunId?: string): Promise<void>;
}

/** Inner calls, as the run knows them. */
export interface RunInnerCalls extends InnerCalls {
  /**
   * Awaited before a call, or its tool, changes something inside a call of the model: logs that, if it can be replayed.
   */
  begin(callId: string, innerRunId?: string): Promise<void>;
  /** Stores the results of inner calls that a replayable call has received so far. */
  flush(callId: string): Promise<void>;
  /** Cancels one of them. False if it is not under way. */
  cancel(callId: string, reason?: string): boolean;
  /** Calls of the model that only wait for answers, and can be replayed with their results so far. */
  suspended(): readonly string[];
}

/** Members of a call's context that differ between its executions. */
interface Execution {
  readonly observer: CallObserver;
  readonly signal: AbortSignal;
  readonly cancellation: Cancellation & Pauses;
}

/** Reports each call, and stores the state that a later resumption needs before it begins. */
export function createCaller(run: RunContext, storage: TurnStorage, loadInner: () => Promise<RunInnerCalls>): Caller {
  const { runId, thread, environment, emit, signal, calls, taint } = run;
  const { toolTimeMs } = run.limits;
  const executing = new Map<string, { readonly ready: PreparedCall; readonly cancellation: Cancellation & Pauses }>();
  let running = new AbortController();
  const ofRun = {
    ...sharedContext(run),
    ...(run.session && { reviewedBy: run.session }),
    ...(toolTimeMs !== undefined && { timeoutMs: toolTimeMs }),
  };
  signal.addEventListener('abort', () => running.abort(signal.reason), { once: true });

  /** Marks a call that may have taken effect: for a tool's call, the outermost call of the model. */
  async function mark(callId: string, toolFingerprint?: string): Promise<void> {
    await run.markOuter?.();
    const id = outermost(callId);
    const record = recordOf(calls, id);
    record.begun ??= note(id, toolFingerprint);
    await record.begun.catch((error: unknown) => {
      record.begun = undefined; // the obstacle to storing it may be gone next time
      throw error;
    });
  }

  /** The same for a call whose tool itself changes nothing, so it may run in a turn that is not stored. */
  async function markInside(callId: string, toolFingerprint?: string, innerRunId?: string): Promise<void> {
    if (thread !== undefined) await storage.until(callId);
    await mark(callId, toolFingerprint);
    if (thread !== undefined) await (await loadInner()).begin(callId, innerRunId);
  }

  async function note(id: string, toolFingerprint: string | undefined): Promise<void> {
    if (thread === undefined) return;
    const { entry, durable } = beginningOf(id, toolFingerprint, recordOf(calls, id).running);
    await thread.note(entry, { durable });
  }

  /** Contains the call with `durability: 'power'`: a loss of power may remove an earlier commit with its turn. */
  function beginningOf(callId: string, toolFingerprint: string | undefined, call?: ToolCallPart): CallBeginning {
    const { ready, isAfresh = false } = recordOf(calls, callId);
    const entry: CallEntry = {
      type: 'call-begun',
      callId,
      ...(ready?.replayable === true && { replay: isAfresh ? 'afresh' : 'logged' }),
      runId,
      fence: thread?.claim()?.fence ?? 0,
      time: environment.now(),
      ...(toolFingerprint !== undefined && { toolFingerprint }),
    };
    if (run.durability === 'process' || call === undefined || ready === undefined) return { entry, durable: false };
    const { input, title } = ready;
    const reference = callReference(call);
    return {
      entry: { ...entry, call: { type: 'tool-call', ...reference, input, title, executedBy: 'us' } },
      durable: true,
    };
  }

  function tellStart({ callId, name, parentCallId }: RunningCall, ready: PreparedCall): void {
    const { input, title, icon, effects, repairs } = ready;
    const look = icon !== undefined && { icon };
    const parent = parentCallId !== undefined && { parentCallId };
    emit({ type: 'tool-start', callId, name, input, title, effects, repairs, ...look, ...parent });
  }

  function contextOf(
    { callId, name, parentCallId }: RunningCall,
    { observer, signal, cancellation }: Execution,
  ): CallContext {
    return {
      ...ofRun,
      callId,
      observer,
      inner: loadInner,
      identity: () => identityOf(callId, run),
      signal,
      cancellation,
      pauses: cancellation,
      detaches: parentCallId === undefined,
      progress: (progress) => emit({ type: 'tool-progress', callId, progress }),
      late: () => emit({ type: 'tool-late', callId, name }),
      ...(run.toolset.readBack !== undefined && readBackOf(run, callId)),
    };
  }

  return {
    beginning(call) {
      const { ready, begun } = recordOf(calls, call.callId);
      const isDue = ready !== undefined && mayTakeEffect(ready) && begun === undefined && run.markOuter === undefined;
      return isDue ? beginningOf(call.callId, ready.toolFingerprint, call) : undefined;
    },
    cancel(reason) {
      running.abort(reason);
      running = new AbortController(); // of the last turn's answer
    },
    runs: (callId) => executing.has(callId),
    cancelCall(callId, reason) {
      const { ready, cancellation } = executing.get(callId) ?? {};
      if (ready === undefined || cancellation === undefined) return false;
      const changes = ready.effects !== 'read' || recordOf(calls, outermost(callId)).begun !== undefined;
      const began = cancellation.giveUp === undefined ? 'never' : changes ? 'changing' : 'reading';
      cancellation.result = cancelledByUser(ready.name, { reason, began });
      cancellation.giveUp?.(new Error('The user cancelled the call.'));
      return true;
    },
    pause(callId, by) {
      for (const id of callsAround(callId)) {
        const running = executing.get(id);
        if (running !== undefined) changePauses(running.cancellation, by);
      }
    },
    mark: (callId, innerRunId) => markInside(callId, undefined, innerRunId),
    async execute(call, ready, givenUp) {
      const { callId } = call;
      const { signal: cancelled } = running; // as it is now: storing what follows may take longer than there is time
      const cancellation: Cancellation & Pauses = {};
      executing.set(callId, { ready, cancellation });
      try {
        if (mayTakeEffect(ready))
          await (call.parentCallId === undefined ? mark : markInside)(callId, ready.toolFingerprint);
        const started = environment.now();
        tellStart(call, ready);
        const observer = new CallObserver(taint, beginAttempt(calls, callId).isReviewed);
        const signal = givenUp === undefined ? cancelled : AbortSignal.any([cancelled, givenUp]);
        const context = contextOf(call, { observer, signal, cancellation });
        await Promise.resolve(); // calls that begin together are all reported before the first of them does anything
        const wasTainted = taint.isTainted;
        const ended = ready.execute(context);
        const result = isPromise(ended) ? await ended : ended;
        if (ready.openWorld) taintBy(taint, call.name);
        const openWorld = ready.openWorld || observer.hasRead || (taint.isTainted && !wasTainted);
        return { result, durationMs: environment.now() - started, openWorld };
      } finally {
        executing.delete(callId);
      }
    },
  };
}

/** True if a call must not be run again unless it is known not to have begun. */
function mayTakeEffect({ effects, idempotent }: PreparedCall): boolean {
  return effects !== 'read' && !idempotent;
}

/** Record of a call. The calls that its tool makes are counted from zero. */
function beginAttempt(calls: CallRecords, callId: string): CallRecord {
  const record = calls.get(callId) ?? {};
  if (record.made !== undefined) record.made = undefined;
  return record;
}
