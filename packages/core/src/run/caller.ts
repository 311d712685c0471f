import { changePauses } from '../base/pauses.ts';
import type { Pauses } from '../base/pauses.ts';
import type { Cancellation } from '../call/attempt.ts';
import type { CallContext, InnerCalls } from '../call/call-context.ts';
import { callReference } from '../model/message.ts';
import type { PreparedCall } from '../call/prepare.ts';
import type { CallEntry } from '../thread/entry.ts';
import type { ToolResult } from '../tool/result.ts';
import type { RunContext } from './run-context.ts';
import { recordOf } from './call-records.ts';
import type { CallRecord, CallRecords, TurnStorage } from './call-records.ts';
import { cancelledByUser } from './loop/calls.ts';
import { identityOf } from './call-identity.ts';
import { outermost } from '../model/sub-call.ts';
import { callsAround } from './calls-around.ts';
import { observerOf, taintBy } from './taint.ts';

/** A call as it runs: one of the model's, or one that a tool makes. */
export interface RunningCall {
  readonly callId: string;
  readonly name: string;
  readonly calledAs?: string;
  readonly parentCallId?: string;
}

/** What came of a call that ran. */
export interface Executed {
  readonly result: ToolResult;
  readonly durationMs: number;
  /** It reached the world outside: by itself, or by a call or a run inside. */
  readonly openWorld: boolean;
}

/** Runs prepared calls of a run. */
export interface Caller {
  /** `givenUp`: fires when the call is given up whose tool made this one. */
  execute(call: RunningCall, ready: PreparedCall, givenUp?: AbortSignal): Promise<Executed>;
  /** Cancels what runs; what begins later is not. */
  cancel(reason: unknown): void;
  /** Whether a call is under way. */
  runs(callId: string): boolean;
  /** Cancels one call that runs, or is about to. False if there is none. */
  cancelCall(callId: string, reason?: string): boolean;
  /** Time of a call, and of the calls around it, stands still while people are waited for (1), or goes on (-1). */
  pause(callId: string, by: 1 | -1): void;
  /** What a run inside this one does for a call may take effect from here on. `innerRunId`: that run, if it has a thread. */
  mark(callId: string, innerRunId?: string): Promise<void>;
}

/** Inner calls, as the run knows them. */
export interface RunInnerCalls extends InnerCalls {
  /** Awaited before a call, or its tool, changes something inside a call of the model: logs that, where it can be replayed. */
  begin(callId: string, innerRunId?: string): Promise<void>;
  /** Stores the results that a replayable call has got from its inner calls so far. */
  flush(callId: string): Promise<void>;
  /** Cancels one of them. False if it is not under way. */
  cancel(callId: string, reason?: string): boolean;
  /** Calls of the model that do nothing but wait for answers, and can be run again with what they have got so far. */
  suspended(): readonly string[];
}

/** Tells of each call, and stores what a later resumption has to know of it before it begins. */
export function createCaller(run: RunContext, storage: TurnStorage, loadInner: () => Promise<RunInnerCalls>): Caller {
  const { runId, projectId, principal, model, thread, toolset, environment, emit, signal, calls, taint } = run;
  const { toolTimeMs, toolOutput } = run.limits;
  const { readBack } = toolset;
  const executing = new Map<string, { readonly ready: PreparedCall; readonly cancellation: Cancellation & Pauses }>();
  let running = new AbortController();
  /** What the contexts of all calls have in common. */
  const ofRun = {
    ...(run.session && { reviewedBy: run.session }),
    projectId,
    ...(principal && { principal }),
    ...(thread && { threadId: thread.id }),
    runId,
    inner: loadInner,
    ...(model.info.contextWindow !== undefined && { contextWindow: model.info.contextWindow }),
    now: environment.now,
    ...(toolTimeMs !== undefined && { timeoutMs: toolTimeMs }),
    ...(toolOutput !== undefined && { outputLimit: toolOutput }),
  };
  signal.addEventListener('abort', () => running.abort(signal.reason), { once: true });

  /** What may have taken effect is known as such from here on: of a call that a tool makes, the one whose tool it is. */
  async function mark(callId: string, toolFingerprint?: string): Promise<void> {
    await run.markOuter?.();
    const id = outermost(callId);
    const record = recordOf(calls, id);
    record.begun ??= note(id, toolFingerprint);
    await record.begun.catch((error: unknown) => {
      record.begun = undefined; // what kept it from being stored may be over the next time
      throw error;
    });
  }

  /** The same where its tool itself changes nothing: so it may run in a turn that is not stored. */
  async function markInside(callId: string, toolFingerprint?: string, innerRunId?: string): Promise<void> {
    if (thread !== undefined) await storage.until(callId);
    await mark(callId, toolFingerprint);
    if (thread !== undefined) await (await loadInner()).begin(callId, innerRunId);
  }

  function readBackOf(callId: string): { readonly readBack: string } | undefined {
    return readBack === undefined ? undefined : { readBack: readBackText(readBack, outermost(callId)) };
  }

  async function note(id: string, toolFingerprint: string | undefined): Promise<void> {
    if (thread === undefined) return;
    const { running: begun, ready, isAfresh = false } = recordOf(calls, id);
    const entry: CallEntry = {
      type: 'call-begun',
      callId: id,
      ...(ready?.replayable === true && { replay: isAfresh ? 'afresh' : 'logged' }),
      runId,
      fence: thread.claim()?.fence ?? 0,
      time: environment.now(),
      ...(toolFingerprint !== undefined && { toolFingerprint }),
    };
    if (run.durability === 'process' || begun === undefined || ready === undefined)
      return void (await thread.note(entry));
    const { input, title } = ready;
    const call = { type: 'tool-call', ...callReference(begun), input, title, executedBy: 'us' } as const;
    await thread.note({ ...entry, call }, { durable: true });
  }

  return {
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
      const { callId, name, parentCallId } = call;
      const { signal: cancelled } = running; // as it is now: storing what follows may take longer than there is time
      const { input, title, icon, effects, repairs } = ready;
      const parent = parentCallId !== undefined && { parentCallId };
      const cancellation: Cancellation & Pauses = {};
      executing.set(callId, { ready, cancellation });
      try {
        if (effects !== 'read' && !ready.idempotent)
          await (parentCallId === undefined ? mark : markInside)(callId, ready.toolFingerprint);
        const started = environment.now();
        const look = icon !== undefined && { icon };
        emit({ type: 'tool-start', callId, name, input, title, ...look, effects, repairs, ...parent });
        const { isReviewed = false } = beginAttempt(calls, callId);
        let hasRead = false;
        const observer = observerOf({ taint, isReviewed, onRead: () => (hasRead = true) });
        const context: CallContext = {
          ...ofRun,
          observer,
          callId,
          identity: () => identityOf(callId, run),
          signal: givenUp === undefined ? cancelled : AbortSignal.any([cancelled, givenUp]),
          cancellation,
          pauses: cancellation,
          detaches: parentCallId === undefined,
          progress: (progress) => emit({ type: 'tool-progress', callId, progress }),
          late: () => emit({ type: 'tool-late', callId, name }),
          ...readBackOf(callId),
        };
        await Promise.resolve(); // calls that begin together are all told before the first of them does anything
        const wasTainted = taint.isTainted;
        const result = await ready.execute(context);
        if (ready.openWorld) taintBy(taint, name);
        const openWorld = ready.openWorld || hasRead || (taint.isTainted && !wasTainted);
        return { result, durationMs: environment.now() - started, openWorld };
      } finally {
        executing.delete(callId);
      }
    },
  };
}

/** What is known of a call. The calls that its tool makes are counted anew. */
function beginAttempt(calls: CallRecords, callId: string): CallRecord {
  const record = calls.get(callId) ?? {};
  if (record.made !== undefined) record.made = undefined;
  return record;
}

/** How the model gets what is left out of a result. */
function readBackText(name: string, callId: string): string {
  return `call ${name} with "call_id": ${JSON.stringify(callId)} and an "offset".`;
}
