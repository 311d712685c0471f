import { interruptedText } from '../model/history.ts';
import { renameCall } from '../model/message.ts';
import type { Message, ToolCallPart } from '../model/message.ts';
import type { ModelRequest } from '../model/model.ts';
import type { Usage } from '../model/usage.ts';
import type { InnerCalls } from '../call/execute.ts';
import type { PreparedCall } from '../call/prepare.ts';
import { failure } from '../tool/result.ts';
import type { ToolResult } from '../tool/result.ts';
import type { Answers } from './ask.ts';
import { bounded } from './bounded.ts';
import { createCaller } from './caller.ts';
import type { EffectHandler } from './loop/drive.ts';
import type { ToolEnd } from '../tool/run-event.ts';
import type { HandlerSetup } from './handler-setup.ts';
import { createHistoryView } from './history-view/history-view.ts';
import { judge } from './judge.ts';
import { noQuestion } from './no-question.ts';
import { noteMessage, systemPrompt } from './prompt.ts';
import type { Answer } from './questions.ts';
import { createRepeatGuard } from './repeats.ts';
import { toPart } from './result-part.ts';
import type { RunInput, Verdict } from './loop/state.ts';
import { createStoredCalls } from './stored-calls.ts';
import { streamTurn } from './stream-turn.ts';
import type { Asked } from './stream-turn.ts';
import { taintBy } from './taint.ts';
import { emptyTurn, isEmpty, toMessage } from './turn.ts';

/** The effects of a run on this machine, and the answers to its questions. */
export interface RunHandler extends EffectHandler {
  /** Throws at once where the answer fits no open question. */
  answer(callId: string, answer: Answer): void;
  /** What the user is asked about calls that tools make counts as not approved. */
  dismiss(): void;
  /** The request that the model was asked with last, as it was given to the provider. */
  lastRequest(): ModelRequest | undefined;
  /** What a run inside this one does for a call may take effect from here on. */
  mark(callId: string): Promise<void>;
  /** What an abort at this moment is: with what came of the turn that is being streamed. */
  interrupt(): RunInput;
}

/** Performs the effects of a run in this process. */
export function createHandler(setup: HandlerSetup): RunHandler {
  const { runId, model, toolset, thread, environment, emit, signal, past } = setup;
  const prepared = new Map<string, PreparedCall>();
  const endings = new Map<string, ToolEnd>(); // told once their message is stored
  const stored = createStoredCalls(() => setup.feed({ type: 'store' }), signal);
  const caller = createCaller(setup, stored, loadInner);
  let history: readonly Message[] = [];
  let answers: Answers | undefined;
  const view = createHistoryView({ ...setup, now: environment.now, spend }, setup.repeatedContent);
  const guard = createRepeatGuard(setup.limits.repeats);
  let inner: InnerCalls | undefined;
  let asked: Asked | undefined;
  let lastRequest: ModelRequest | undefined;
  const callIds = new Set<string>(); // of the thread
  let callIdsOf = 0; // so many of its messages
  let steps = 0;
  let system: string | undefined;
  signal.addEventListener('abort', onAbort, { once: true });

  function spend(usage: Usage): void {
    setup.feed({ type: 'spent', usage });
  }

  function onAbort(): void {
    if (asked !== undefined) asked.isAborted = true;
    asked?.controller.abort(signal.reason);
  }

  return {
    async callModel({ messages, toolChoice, shrink, lastTurn, note }) {
      history = messages;
      stored.nextTurn();
      const step = ++steps;
      if (lastTurn !== undefined) emit({ type: 'limit', limit: lastTurn });
      emit({ type: 'step-start', step, model: { api: model.info.api, id: model.info.id } });
      const tools = toolset.definitions(model.info);
      system ??= await systemPrompt(setup); // once for a run: what requests begin with stays the same to the byte
      const shown = await view.next(messages, shrink);
      const request: ModelRequest = {
        system,
        messages: note === undefined ? shown : [...shown, noteMessage(note)],
        tools,
        toolChoice: tools.length > 0 ? toolChoice : 'auto',
        ...setup.request,
      };
      if (signal.aborted) return { type: 'abort' };
      lastRequest = request;
      for (const { parts } of messages.slice(callIdsOf))
        for (const part of parts) if (part.type === 'tool-call') callIds.add(part.callId);
      callIdsOf = messages.length;
      const turn = emptyTurn(
        model.info,
        { id: environment.id(), runId, createdAt: environment.now(), taint: past.taint },
        callIds,
      );
      const isEager = setup.isEager && toolChoice !== 'none' && lastTurn === undefined;
      asked = { request, step, turn, isEager, controller: new AbortController(), isAborted: false };
      const input = await streamTurn(setup, asked);
      asked = undefined;
      if (input.type === 'turn') view.counted(input.usage.inputTokens);
      return input;
    },

    async prepareCall({ call, wasCutOff }) {
      const ready = await toolset.prepare(call);
      prepared.set(call.callId, ready);
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
      const ready = prepared.get(call.callId) as PreparedCall;
      if (lastRequest !== undefined) stored.begin(call.callId); // else its turn is an earlier run's, and stored
      const { result, durationMs, openWorld } = await caller.execute(call, ready);
      if (prepared.has(call.callId)) prepared.set(call.callId, { ...ready, openWorld });
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
        stored.add(message);
        tell(message);
      });
    },

    end(state) {
      answers?.questions.closeAll();
      setup.end(state);
    },

    dismiss: () => answers?.questions.closeInside(),

    lastRequest: () => lastRequest,

    mark: caller.mark,

    interrupt() {
      if (asked === undefined || isEmpty(asked.turn)) return { type: 'abort' };
      return { type: 'abort', message: toMessage(asked.turn) };
    },

    answer(callId, answer) {
      if (answers === undefined) throw noQuestion(callId);
      answers.questions.answer(callId, answer);
    },
  };

  async function loadAnswers(): Promise<Answers> {
    const { createAnswers } = await import('./ask.ts');
    return (answers ??= createAnswers({ run: setup, prepared, settled }));
  }

  async function loadInner(): Promise<InnerCalls> {
    const { createInnerCalls } = await import('./inner-calls.ts');
    const { questions } = await loadAnswers();
    return (inner ??= createInnerCalls({ run: setup, questions, caller, messages: () => history }));
  }

  /** What is to become of a call that can run: it may have run already, be repeated, or need permission. */
  async function decide(callId: string, ready: PreparedCall): Promise<Verdict> {
    const { name, refusal, idempotent } = ready;
    const isKnown = refusal === undefined; // its tool may be gone since it began
    if (past.begun.has(callId) && !(isKnown && idempotent))
      return isKnown && setup.interactive
        ? { ask: 'recovery' }
        : { result: failure('tool_interrupted', interruptedText) };
    const repeated = refusal ?? guard.refusal(ready);
    if (repeated !== undefined) return { result: repeated };
    const approval = past.approved.get(callId);
    const isApproved =
      approval && (async () => (await loadApprovals()).isApproved(approval, { callId, name, ready }, setup));
    return judge({ ...setup, tainted: past.taint.isTainted, isApproved }, { callId, ready });
  }

  /** A message is stored. Of a result, this is when its call has ended. */
  function tell(message: Message): void {
    const ending = endings.get(message.id);
    if (ending !== undefined) {
      endings.delete(message.id);
      emit(ending);
    }
    emit({ type: 'message', message });
  }

  function settled(call: ToolCallPart, result: ToolResult, durationMs: number): RunInput {
    const { callId, name } = call;
    const isOutside = (prepared.get(callId)?.openWorld ?? false) && result.toolFingerprint !== undefined;
    if (isOutside) taintBy(past.taint, name);
    prepared.delete(callId);
    const part = toPart(call, result, { durationMs, ...(isOutside && { openWorld: true }) });
    const message: Message = { id: environment.id(), role: 'tool', parts: [part], createdAt: environment.now(), runId };
    endings.set(message.id, { type: 'tool-end', callId, name, result, durationMs });
    return { type: 'result', callId, message, result };
  }
}

const loadApprovals = () => import('./approvals.ts');

const cutOff = failure(
  'invalid_json',
  'This call was cut off at the output limit and was not run. Send it again in smaller parts.',
);
