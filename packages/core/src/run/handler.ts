import { interruptedText } from '../model/history.ts';
import { renameCall } from '../model/message.ts';
import type { Message, ToolCallPart } from '../model/message.ts';
import type { ModelRequest } from '../model/model.ts';
import type { InnerCalls } from '../call/execute.ts';
import type { PreparedCall } from '../call/prepare.ts';
import { failure } from '../tool/result.ts';
import type { ToolResult } from '../tool/result.ts';
import type { Answers } from './ask.ts';
import { bounded } from './bounded.ts';
import { createTurnStorage, recordOf } from './call-records.ts';
import { createCaller } from './caller.ts';
import type { EffectHandler } from './loop/drive.ts';
import type { HandlerSetup } from './handler-setup.ts';
import { judge } from './judge.ts';
import { createModelTurns } from './model-turns.ts';
import { noQuestion } from './no-question.ts';
import type { QuestionAnswer } from './questions.ts';
import { createRepeatGuard } from './repeats.ts';
import { toPart } from './result-part.ts';
import type { RunInput, Verdict } from './loop/state.ts';
import { taintBy } from './taint.ts';

/** The effects of a run on this machine, and the answers to its questions. */
export interface RunHandler extends EffectHandler {
  /** Throws at once where the answer fits no open question. */
  answer(callId: string, answer: QuestionAnswer): void;
  /** What the user is asked about calls that tools make counts as not approved. */
  dismiss(): void;
  /** The request that the model was asked with last, as it was given to the provider. */
  lastRequest(): ModelRequest | undefined;
  /** Journals that a call may have taken effect; called before the first write of a run inside it. */
  mark(callId: string): Promise<void>;
  /** Input for an abort now, with the part of the turn that was streamed. */
  interrupt(): RunInput;
}

/** Performs the effects of a run in this process. */
export function createHandler(setup: HandlerSetup): RunHandler {
  const { runId, toolset, thread, environment, emit, signal, records, taint } = setup;
  const turns = createModelTurns(setup, records);
  const storage = createTurnStorage(records, () => setup.feed({ type: 'store' }), signal);
  const caller = createCaller(setup, storage, loadInner);
  const guard = createRepeatGuard(setup.limits.repeats);
  let answers: Answers | undefined;
  let inner: InnerCalls | undefined;

  return {
    callModel: turns.ask,

    async prepareCall({ call, wasCutOff }) {
      const ready = await toolset.prepare(call);
      recordOf(records, call.callId).ready = ready;
      const { input, repairs, title, icon, effects, concurrency } = ready;
      const verdict = wasCutOff ? { result: cutOff } : await decide(call.callId, ready);
      const part = {
        ...renameCall(call, ready.name), // a thread may have been stored before the tool was renamed
        input,
        title,
        ...(icon !== undefined && { icon }),
        ...(repairs.length > 0 && { repairs }),
      };
      const limit = concurrency !== undefined && { concurrency };
      return { type: 'prepared', call: part, effects, ...limit, verdict };
    },

    async executeCall({ call }) {
      const record = recordOf(records, call.callId);
      const ready = record.ready as PreparedCall;
      record.running = call;
      if (turns.lastRequest() !== undefined) record.turn ??= 'streamed'; // else its turn is an earlier run's, and stored
      const { result, durationMs, openWorld } = await caller.execute(call, ready);
      if (record.ready !== undefined) record.ready = { ...ready, openWorld };
      guard.record(ready, result);
      return settled(call, result, durationMs);
    },

    async settleCall({ call, result }) {
      answers?.questions.close(call.callId);
      return settled(call, result, 0);
    },

    ask: async ({ call, question }) => (await loadAnswers()).ask(call, question),

    cancelCalls: () => caller.cancel(new Error('The time of the run is over.')),

    async askLimit({ limit }) {
      try {
        return { type: 'limit-answered', goesOn: (await setup.onLimit?.(limit)) ?? false };
      } catch {
        return { type: 'limit-answered', goesOn: false };
      }
    },

    append({ message }) {
      if (thread === undefined) return tell(message);
      return bounded(thread.append(message), signal).then(() => {
        storage.stored(message);
        tell(message);
      });
    },

    end(state) {
      answers?.questions.closeAll();
      setup.end(state);
    },

    dismiss: () => answers?.questions.closeInside(),

    lastRequest: turns.lastRequest,

    mark: caller.mark,

    interrupt: turns.interrupt,

    answer(callId, answer) {
      if (answers === undefined) throw noQuestion(callId);
      answers.questions.answer(callId, answer);
    },
  };

  async function loadAnswers(): Promise<Answers> {
    const { createAnswers } = await import('./ask.ts');
    return (answers ??= createAnswers({ run: setup, settled }));
  }

  async function loadInner(): Promise<InnerCalls> {
    const { createInnerCalls } = await import('./inner-calls.ts');
    const { questions } = await loadAnswers();
    return (inner ??= createInnerCalls({ run: setup, questions, caller, messages: turns.history }));
  }

  /** What is to become of a call that can run: it may have run already, be repeated, or need permission. */
  async function decide(callId: string, ready: PreparedCall): Promise<Verdict> {
    const { name, refusal, idempotent } = ready;
    const { wasBegun = false, approval } = recordOf(records, callId);
    const isKnown = refusal === undefined; // its tool may be gone since it began
    if (wasBegun && !(isKnown && idempotent))
      return isKnown && setup.interactive
        ? { ask: 'recovery' }
        : { result: failure('tool_interrupted', interruptedText) };
    const repeated = refusal ?? guard.refusal(ready);
    if (repeated !== undefined) return { result: repeated };
    const isApproved =
      approval && (async () => (await loadApprovals()).isApproved(approval, { callId, name, ready }, setup));
    return judge({ ...setup, tainted: taint.isTainted, isApproved }, { callId, ready });
  }

  /** A message is stored. Of a result, this is when its call has ended. */
  function tell(message: Message): void {
    const [part] = message.parts;
    const record = part?.type === 'tool-result' ? records.get(part.callId) : undefined;
    if (record?.ending?.messageId === message.id) {
      emit(record.ending.event);
      record.ending = undefined;
    }
    emit({ type: 'message', message });
  }

  function settled(call: ToolCallPart, result: ToolResult, durationMs: number): RunInput {
    const { callId, name } = call;
    const record = recordOf(records, callId);
    const isOutside = (record.ready?.openWorld ?? false) && result.toolFingerprint !== undefined;
    if (isOutside) taintBy(taint, name);
    record.ready = undefined;
    record.running = undefined;
    const part = toPart(call, result, { durationMs, ...(isOutside && { openWorld: true }) });
    const message: Message = { id: environment.id(), role: 'tool', parts: [part], createdAt: environment.now(), runId };
    record.ending = { messageId: message.id, event: { type: 'tool-end', callId, name, result, durationMs } };
    return { type: 'result', callId, message, result };
  }
}

const loadApprovals = () => import('./approvals.ts');

const cutOff = failure(
  'invalid_json',
  'This call was cut off at the output limit and was not run. Send it again in smaller parts.',
);
