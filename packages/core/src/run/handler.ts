import type { Environment } from '../environment.ts';
import { UtensilError } from '../errors.ts';
import { failure } from '../tool-result.ts';
import type { CallContext } from '../execute.ts';
import type { ToolResult } from '../tool-result.ts';
import type { Json } from '../json.ts';
import type { Message, ToolCallPart, ToolResultPart } from '../message.ts';
import type { Model, ModelRequest } from '../model.ts';
import type { Thread } from '../thread.ts';
import type { PreparedCall } from '../prepare.ts';
import type { Toolset } from '../toolset.ts';
import type { EffectHandler } from './drive.ts';
import { bounded } from './bounded.ts';
import type { RunEventBody, ToolEnd } from './events.ts';
import { judge } from './judge.ts';
import { lastTurnText } from './limits.ts';
import type { Limit, Limits } from './limits.ts';
import { denialText } from './policy.ts';
import type { Policy } from './policy.ts';
import type { RunInput, RunState } from './state.ts';
import { streamTurn } from './stream-turn.ts';
import type { Asked } from './stream-turn.ts';
import { emptyTurn, isEmpty, toMessage } from './turn.ts';

/** What the effects of a run need. */
export interface HandlerSetup {
  readonly runId: string;
  readonly projectId: string;
  readonly model: Model;
  readonly toolset: Toolset;
  readonly thread: Thread | undefined;
  readonly instructions: string;
  readonly policy: Policy;
  readonly interactive: boolean;
  /** What goes into every request as it is. */
  readonly request: Pick<ModelRequest, 'maxOutputTokens' | 'reasoning' | 'parallel' | 'providerOptions'>;
  readonly limits: Limits;
  readonly environment: Environment;
  /** Fires when the run is aborted or over. */
  readonly signal: AbortSignal;
  emit(body: RunEventBody): void;
  end(state: RunState): void;
}

/** An answer to a question of a run: to an approval, or a client's output to a call of a tool without `execute`. */
export type Answer = 'once' | 'deny' | { readonly output: Json };

/** The effects of a run on this machine, and the answers to its questions. */
export interface RunHandler extends EffectHandler {
  /** Throws at once where the answer fits no open question. */
  answer(callId: string, answer: Answer): Promise<RunInput>;
  /** What an abort at this moment is: with what came of the turn that is being streamed. */
  interrupt(): RunInput;
}

/** Performs the effects of a run in this process. */
export function createHandler(setup: HandlerSetup): RunHandler {
  const { runId, model, toolset, thread, environment, emit, signal } = setup;
  const { toolTimeMs, toolOutput } = setup.limits;
  const prepared = new Map<string, PreparedCall>();
  const questions = new Map<string, { readonly call: ToolCallPart; readonly clientAnswers: boolean }>();
  const calls = new AbortController();
  const endings = new Map<string, ToolEnd>(); // told once their message is stored
  let asked: Asked | undefined;
  let steps = 0;
  let system: string | undefined;
  signal.addEventListener('abort', onAbort, { once: true });

  function onAbort(): void {
    if (asked !== undefined) asked.isAborted = true;
    asked?.controller.abort(signal.reason);
    calls.abort(signal.reason);
  }

  return {
    async callModel({ messages, toolChoice, lastTurn }) {
      const step = ++steps;
      if (lastTurn !== undefined) emit({ type: 'limit', limit: lastTurn });
      emit({ type: 'step-start', step });
      const tools = toolset.definitions(model.info);
      system ??= await systemPrompt(setup); // once for a run: what requests begin with stays the same to the byte
      const request: ModelRequest = {
        system,
        messages: lastTurn === undefined ? messages : [...messages, lastTurnMessage(lastTurn)],
        tools,
        toolChoice: tools.length > 0 ? toolChoice : 'auto',
        ...setup.request,
      };
      if (signal.aborted) return { type: 'abort' };
      asked = { request, step, turn: emptyTurn(model.info), controller: new AbortController(), isAborted: false };
      const input = await streamTurn(setup, asked);
      asked = undefined;
      return input;
    },

    async prepareCall({ call, wasCutOff }) {
      const ready = await toolset.prepare(call);
      prepared.set(call.callId, ready);
      const { input, repairs, title, icon, effects, clientAnswers } = ready;
      const verdict = wasCutOff
        ? { result: cutOff }
        : await judge(setup, { callId: call.callId, name: call.name, ready });
      const part = {
        ...call,
        input,
        title,
        ...(icon !== undefined && { icon }),
        ...(repairs.length > 0 && { repairs }),
      };
      return { type: 'prepared', call: part, effects, clientAnswers, verdict };
    },

    async executeCall({ call }) {
      const { callId, name } = call;
      const ready = prepared.get(callId) as PreparedCall;
      const { input, title, icon, effects, repairs } = ready;
      const started = environment.now();
      emit({ type: 'tool-start', callId, name, input, title, ...(icon !== undefined && { icon }), effects, repairs });
      const context: CallContext = {
        projectId: setup.projectId,
        ...(thread && { threadId: thread.id }),
        runId,
        callId,
        signal: calls.signal,
        progress: (progress) => emit({ type: 'tool-progress', callId, progress }),
        now: environment.now,
        ...(toolTimeMs !== undefined && { timeoutMs: toolTimeMs }),
        ...(toolOutput !== undefined && { outputLimit: toolOutput }),
        late: () => emit({ type: 'tool-late', callId, name }),
      };
      await Promise.resolve(); // calls that begin together are all told before the first of them does anything
      return settled(call, await ready.execute(context), environment.now() - started);
    },

    async settleCall({ call, result }) {
      questions.delete(call.callId);
      return settled(call, result, 0);
    },

    ask({ call, clientAnswers }) {
      const { callId, name, input, title = name } = call;
      questions.set(callId, { call, clientAnswers });
      const question = { callId, name, input, title };
      const effects = prepared.get(callId)?.effects ?? 'destructive';
      emit(clientAnswers ? { type: 'input-request', ...question } : { type: 'approval-request', ...question, effects });
    },

    cancelCalls: () => calls.abort(new Error('The time of the run is over.')),

    append({ message }) {
      if (thread === undefined) return tell(message);
      return bounded(thread.append(message), signal).then(() => tell(message));
    },

    end(state) {
      questions.clear();
      setup.end(state);
    },

    interrupt() {
      if (asked === undefined || isEmpty(asked.turn)) return { type: 'abort' };
      return { type: 'abort', message: toMessage(asked.turn, environment.id(), environment.now()) };
    },

    answer(callId, answer) {
      const question = questions.get(callId);
      if (question === undefined)
        throw new UtensilError(
          'run_ended',
          `No question about call "${callId}" is open: it was answered, or the run is over.`,
        );
      const { call, clientAnswers } = question;
      if (typeof answer === 'object' && !clientAnswers)
        throw new UtensilError('invalid_input', `Call "${callId}" asks for approval: answer 'once' or 'deny'.`);
      if (answer === 'once' && clientAnswers)
        throw new UtensilError('invalid_input', `Call "${callId}" asks for its output: answer { output } or 'deny'.`);
      questions.delete(callId);
      if (clientAnswers) emit({ type: 'input-answer', callId, answer: answer === 'deny' ? 'deny' : 'output' });
      else emit({ type: 'approval-answer', callId, answer: answer === 'once' ? 'once' : 'deny' });
      return afterAnswer(call, answer);
    },
  };

  /** A message is stored. Of a result, this is when its call has ended. */
  function tell(message: Message): void {
    const ending = endings.get(message.id);
    if (ending !== undefined) {
      endings.delete(message.id);
      emit(ending);
    }
    emit({ type: 'message', message });
  }

  async function afterAnswer(call: ToolCallPart, answer: Answer): Promise<RunInput> {
    const { callId, name } = call;
    if (answer === 'once') return { type: 'approved', callId };
    if (answer === 'deny') return settled(call, failure('tool_denied', denialText(name, 'user')), 0);
    const ready = prepared.get(callId) as PreparedCall;
    return settled(
      call,
      await ready.settle(answer.output, toolOutput === undefined ? {} : { outputLimit: toolOutput }),
      0,
    );
  }

  function settled(call: ToolCallPart, result: ToolResult, durationMs: number): RunInput {
    const { callId, name } = call;
    prepared.delete(callId);
    const part = toPart(call, result, durationMs);
    const message: Message = { id: environment.id(), role: 'tool', parts: [part], createdAt: environment.now() };
    endings.set(message.id, { type: 'tool-end', callId, name, result, durationMs });
    return { type: 'result', callId, message, result };
  }
}

const cutOff = failure(
  'invalid_json',
  'This call was cut off at the output limit and was not run. Send it again in smaller parts.',
);

function toPart({ callId, name }: ToolCallPart, result: ToolResult, durationMs: number): ToolResultPart {
  const { output, modelParts, isError, status, userView, toolFingerprint } = result;
  return {
    type: 'tool-result',
    callId,
    name,
    output,
    modelParts,
    isError,
    durationMs,
    ...(status !== undefined && { status }),
    ...(userView !== undefined && { userView }),
    ...(toolFingerprint !== undefined && { toolFingerprint }),
  };
}

/** Instructions and the tools' prompts. */
async function systemPrompt({ instructions, toolset, model, projectId, thread, emit }: HandlerSetup): Promise<string> {
  const prompts = await toolset.prompts({
    model: model.info,
    projectId,
    ...(thread && { threadId: thread.id }),
    warn: (message) => emit({ type: 'error', error: { code: 'tool_failed', message } }),
  });
  return [instructions, ...prompts].filter((text) => text !== '').join('\n\n');
}

/** Only this request has it: it is no part of the history. */
function lastTurnMessage(limit: Limit): Message {
  return { id: 'last-turn', role: 'user', parts: [{ type: 'text', text: lastTurnText(limit) }], createdAt: 0 };
}
