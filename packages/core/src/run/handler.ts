import { isUtensilError } from '../base/errors.ts';
import { codeFor, withCodeFor } from './calls/code-for-call.ts';
import { isPromise, whenReady } from '../base/eventually.ts';
import type { Eventually } from '../base/eventually.ts';
import { afterTimeout } from '../base/pauses.ts';
import type { Message, ToolCallPart } from '../model/message.ts';
import type { ModelRequest } from '../model/model.ts';
import type { RequestedCall } from '../call/requested-call.ts';
import type { PreparedCall } from '../call/prepare.ts';
import { failure } from '../tool/result.ts';
import type { ToolResult } from '../tool/result.ts';
import type { Answers } from './questions/answers.ts';
import { bounded } from './bounded.ts';
import { createTurnStorage, recordOf } from './calls/call-records.ts';
import { createCaller } from './calls/caller.ts';
import type { RunInnerCalls } from './calls/caller.ts';
import type { Background } from './calls/background.ts';
import { problemOf } from './loop/drive.ts';
import type { EffectHandler } from './loop/drive.ts';
import { loadAnswers, loadBackground, loadInnerCalls } from './later-code.ts';
import type { RunContext } from './run-context.ts';
import { decideCall } from './permission/decide-call.ts';
import { createModelTurns } from './turn/model-turns.ts';
import type { Declined } from './questions/questions.ts';
import type { Replay } from './calls/replay.ts';
import { createRepeatGuard } from './permission/repeats.ts';
import { preparedPart } from './calls/call-parts.ts';
import { createSettle, emitStored } from './calls/call-results.ts';
import { interrupted } from './loop/calls.ts';
import { onlyWaits } from './loop/step.ts';
import type { RunInput, RunState } from './loop/state.ts';
import { latestOf, storeIn } from './stored-messages.ts';
import type { Appended } from './stored-messages.ts';
import type { OpenReceipt } from '../thread/detached-calls.ts';

/** The effects of a run on this machine, and the answers to its questions. */
export interface RunHandler extends EffectHandler {
  /**
   * Declines all questions about inner calls without asking any more: until these messages are in the history, or for
   * good.
   */
  decline(why: Declined, until?: readonly Message[]): void;
  /** Reason why inner calls are declined without a question; undefined if they are asked about. */
  declined(): Declined | undefined;
  /** The last request to the model, as given to the provider. */
  lastRequest(): ModelRequest | undefined;
  /** Journals that a call may have taken effect; called before the first write of a run inside it. */
  mark(callId: string, innerRunId?: string): Promise<void>;
  /** Cancels a call that a tool makes. False if it is not under way. */
  cancelInside(callId: string, reason?: string): boolean;
  /** Pauses the time of a call and of its outer calls while people are waited for (1), or continues it (-1). */
  pauseCall(callId: string, by: 1 | -1): void;
  /** Cancels a background call. False if there is none. */
  cancelDetached(callId: string, reason?: string): boolean;
  /** Waits for the results of calls that were in the background before this run began. */
  takeUp(open: Iterable<OpenReceipt>): void;
  /** Parts of the turn that is being streamed. */
  streamed(): Message | undefined;
  /** Called if everything left may be waiting for answers. */
  park(): void;
  /** True if everything left is waiting for answers. */
  waits(state: RunState): boolean;
  /** Leaves the waiting calls, to be resumed elsewhere. */
  leave(): Promise<void>;
}

/** Performs the effects of a run in this process. */
export function createHandler(run: RunContext): RunHandler {
  const { toolset, thread, signal, calls } = run;
  const turns = createModelTurns(run);
  const storage = createTurnStorage(calls, () => run.feed({ type: 'store' }), signal);
  const caller = createCaller(run, storage, openInner);
  const settle = createSettle(run);
  const guard = run.session?.repeats ?? createRepeatGuard(run.limits.repeats);
  const unread = new Set<string>(); // messages that the user has sent and that are not in the thread yet
  let declined: Declined | undefined;
  let unanswered: unknown; // the thread did not answer the run that was aborted
  let answers: Answers | undefined;
  let inner: RunInnerCalls | undefined;
  let background: Background | undefined;

  return {
    'call-model': turns.ask,

    'retry-turn': turns.retry,

    'prepare-call'({ call, wasCutOff }) {
      const isStored = turns.lastRequest() === undefined;
      const requested = isStored ? storedCall(call, recordOf(calls, call.callId).madeFor) : call;
      const ready = toolset.prepare(requested);
      const withCode = isPromise(ready) || isPromise(codeFor(ready)) ? withCodeFor(call, ready, isStored) : ready;
      return isPromise(withCode)
        ? withCode.then((each) => (signal.aborted ? undefined : decide(call, each, wasCutOff)))
        : decide(call, withCode, wasCutOff);
    },

    'execute-call'({ call }) {
      const record = recordOf(calls, call.callId);
      const ready = record.ready as PreparedCall;
      record.running = call;
      noteTurn(call.callId);
      const { replay } = record;
      return caller.execute(call, ready, replay?.diverged).then(({ result, durationMs, openWorld }) => {
        answers?.questions.closeMadeBy(call.callId);
        if (replay !== undefined && !isReplayed(replay, result)) {
          Object.assign(record, { replay: undefined, log: undefined, begun: undefined, isAfresh: true });
          return run.interactive ? { type: 'diverged', callId: call.callId } : settle(call, interrupted, durationMs);
        }
        if (record.ready !== undefined && ready.openWorld !== openWorld) record.ready = { ...ready, openWorld };
        guard.record(ready, result);
        return settle(call, result, durationMs);
      });
    },

    'settle-call'({ call, result }) {
      answers?.questions.close(call.callId);
      return settle(call, result, 0);
    },

    async ask({ call, question }) {
      noteTurn(call.callId);
      return (await openAnswers()).ask(call, question);
    },

    'leave-calls': leaveCalls,

    'cancel-calls': () => caller.cancel(new Error('The time of the run is over.')),

    'cancel-call': ({ callId, reason }) => void caller.cancelCall(callId, reason),

    cancelDetached: (callId, reason) => background?.cancel(callId, reason) ?? false,

    takeUp(open) {
      for (const each of open) settleLater(each);
    },

    rest: () => inBackground((calls) => calls.rest()),

    cancelInside: (callId, reason) => inner?.cancel(callId, reason) ?? false,

    async 'ask-limit'({ limit }) {
      try {
        const goesOn = (await run.onLimit?.(limit)) ?? false;
        if (goesOn) run.ledger()?.extend();
        return { type: 'limit-answered', goesOn };
      } catch {
        return { type: 'limit-answered', goesOn: false };
      }
    },

    append(messages, next) {
      if (thread === undefined) return added(messages);
      if (unanswered !== undefined) throw unanswered;
      const latest = latestOf(messages);
      const beginning = next && caller.beginning(next);
      const stored = bounded(storeIn(thread, latest, beginning), signal);
      if (beginning !== undefined) recordOf(calls, beginning.entry.callId).begun = stored;
      return stored.then(
        () => added(latest),
        (error: unknown) => {
          if (isUtensilError(error, 'aborted')) unanswered = error;
          throw error;
        },
      );
    },

    ...(thread && { soon: (then) => afterTimeout(togetherMs, then) }),

    end(state) {
      answers?.questions.closeAll();
      run.end(state);
    },

    decline(why, until) {
      if (until === undefined) declined = why;
      for (const { id } of until ?? []) unread.add(id);
      answers?.questions.closeInside();
    },

    declined: whyDeclined,

    lastRequest: turns.lastRequest,

    mark: caller.mark,

    pauseCall: caller.pause,

    streamed: turns.streamed,

    park,

    waits: (state) => onlyWaits(state, suspended(), (callId) => answers?.questions.isOpen(callId) ?? false),

    leave: () => leaveCalls({ callIds: suspended() }),
  };

  /** A call is prepared, and judged. */
  function decide(call: ToolCallPart, ready: PreparedCall, wasCutOff: boolean): Eventually<RunInput> {
    const { callId } = call;
    recordOf(calls, callId).ready = ready;
    const verdict = wasCutOff ? { result: cutOff } : decideCall({ callId, ready }, run, guard);
    const { effects, concurrency } = ready;
    const part = preparedPart(call, ready);
    return isPromise(verdict)
      ? verdict.then((each) => ({ type: 'prepared', call: part, effects, concurrency, verdict: each }))
      : { type: 'prepared', call: part, effects, concurrency, verdict };
  }

  async function leaveCalls({ callIds }: { readonly callIds: readonly string[] }): Promise<void> {
    answers?.questions.leaveAll();
    const flushed = callIds.flatMap((callId) => inner?.flush(callId) ?? []);
    await Promise.all([...flushed, run.inside.leave()]);
  }

  /** Ends the run if everything left is waiting for answers. */
  function park(): void {
    if (run.parkOuter !== undefined) return run.parkOuter(); // which waits with it
    run.feed({ type: 'park', isDue: run.family.due.size > 0, suspended: suspended() });
  }

  function suspended(): readonly string[] {
    return inner?.suspended() ?? [];
  }

  /** The turn of a call is not stored yet, unless it is an earlier run's. */
  function noteTurn(callId: string): void {
    if (turns.lastRequest() !== undefined) recordOf(calls, callId).turn ??= 'streamed';
  }

  async function openAnswers(): Promise<Answers> {
    const { createAnswers, createQuestionKeeper } = await loadAnswers();
    if (thread !== undefined) run.family.keeper ??= createQuestionKeeper(thread, storage.until);
    return (answers ??= createAnswers({ run, settle, park }));
  }

  /** The code is loaded already, unless the app has sent a message with a receipt. */
  function inBackground(act: (calls: Background) => void): void {
    const acted = whenReady(loadBackground(), ({ createBackground }) =>
      act((background ??= createBackground(run, failed))),
    );
    if (isPromise(acted)) acted.catch(failed);
  }

  function failed(error: unknown): void {
    run.feed({ type: 'failed', problem: problemOf(error) });
  }

  function settleLater(open: OpenReceipt): void {
    inBackground((calls) => calls.settle(open));
  }

  async function openInner(): Promise<RunInnerCalls> {
    const { createInnerCalls } = await loadInnerCalls();
    const { questions } = await openAnswers();
    return (inner ??= createInnerCalls({
      run,
      questions,
      caller,
      park,
      messages: turns.history,
      declined: whyDeclined,
    }));
  }

  function whyDeclined(): Declined | undefined {
    return declined ?? (unread.size > 0 ? 'dismissed' : undefined);
  }

  /** Messages are in the thread, or in the history of a run without one. */
  function added(messages: readonly Appended[]): void {
    for (const { message, isDraft } of messages) {
      if (isDraft === true) continue;
      unread.delete(message.id);
      if (thread !== undefined) storage.stored(message);
      emitStored(run, message, settleLater);
    }
  }
}

/** In milliseconds: how long a message may wait for the next one, to be stored in one commit with it. */
const togetherMs = 20;

/** A call that the thread had when the run took it: its tool may be another version by now. */
function storedCall(call: ToolCallPart, toolFingerprint: string | undefined): RequestedCall {
  return { ...call, stored: toolFingerprint === undefined ? {} : { toolFingerprint } };
}

/** True if a replayed call did the same as before. A cancelled one proves nothing. */
function isReplayed(replay: Replay, { code }: ToolResult): boolean {
  const isGivenUp = !replay.diverged.aborted && (code === 'tool_cancelled' || code === 'tool_timeout');
  return replay.end() || isGivenUp;
}

const cutOff = failure(
  'invalid_json',
  'This call was truncated at the output limit and was not run. Send it again in smaller parts.',
);
