import type { Environment } from '../environment.ts';
import { interruptedText } from '../history.ts';
import type { JsonObject } from '../json.ts';
import type { Message, ToolCallPart, ToolResultPart } from '../message.ts';
import type { Model, ModelRequest } from '../model.ts';
import type { PreparedCall } from '../prepare.ts';
import type { Thread } from '../thread.ts';
import { failure, told } from '../tool-result.ts';
import type { ToolResult } from '../tool-result.ts';
import type { Toolset } from '../toolset.ts';
import { bounded } from './bounded.ts';
import { createCaller } from './caller.ts';
import type { EffectHandler } from './drive.ts';
import type { RunEventBody, ToolEnd } from './events.ts';
import type { Grant, Grants } from './grants.ts';
import { createInnerCalls } from './inner-calls.ts';
import { judge } from './judge.ts';
import type { Limits } from './limits.ts';
import { denialText } from './policy.ts';
import type { Policy } from './policy.ts';
import { createQuestions } from './questions.ts';
import type { Answer } from './questions.ts';
import { createRepeatGuard } from './repeats.ts';
import type { RunInput, RunState, Verdict } from './state.ts';
import { streamTurn } from './stream-turn.ts';
import type { Asked } from './stream-turn.ts';
import type { SubRun, SubRunOptions } from './sub-run.ts';
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
  /** Where grants are looked for: of the run, and of the project. */
  readonly grants: readonly Grants[];
  /** Keeps what the user allows beyond one call. */
  remember(answer: Answer, grant: Grant): Promise<void>;
  /** Whether `always` is an answer. */
  readonly canRemember: boolean;
  /** Calls begin while their turn is being streamed. */
  readonly isEager: boolean;
  /** Known once the thread is read. */
  readonly past: Past;
  /** What goes into every request as it is. */
  readonly request: Pick<ModelRequest, 'maxOutputTokens' | 'reasoning' | 'parallel' | 'providerOptions'>;
  readonly limits: Limits;
  readonly environment: Environment;
  /** Fires when the run is aborted or over. */
  readonly signal: AbortSignal;
  emit(body: RunEventBody): void;
  feed(input: RunInput): void;
  end(state: RunState): void;
  /** Begins a run for a call of this one. */
  startInside(callId: string, options: SubRunOptions): SubRun;
}

/** What a run has to know of what was before it. */
export interface Past {
  /** Calls that may have taken effect before an interruption. */
  readonly begun: Set<string>;
  /** Calls that the user had allowed by then, with the fingerprint of their tool. */
  readonly approved: Map<string, string>;
  /** The history has something from the world outside. */
  isTainted: boolean;
}

/** The effects of a run on this machine, and the answers to its questions. */
export interface RunHandler extends EffectHandler {
  /** Throws at once where the answer fits no open question. */
  answer(callId: string, answer: Answer): void;
  /** What an abort at this moment is: with what came of the turn that is being streamed. */
  interrupt(): RunInput;
}

/** Performs the effects of a run in this process. */
export function createHandler(setup: HandlerSetup): RunHandler {
  const { runId, model, toolset, thread, environment, emit, signal, past } = setup;
  const prepared = new Map<string, PreparedCall>();
  const endings = new Map<string, ToolEnd>(); // told once their message is stored
  const questions = createQuestions(emit, setup.canRemember);
  const guard = createRepeatGuard(setup.limits.repeats);
  let history: readonly Message[] = [];
  const inner = createInnerCalls({ run: setup, questions, caller: () => caller, messages: () => history });
  const caller = createCaller(setup, inner);
  let asked: Asked | undefined;
  let steps = 0;
  let system: string | undefined;
  signal.addEventListener('abort', onAbort, { once: true });

  function onAbort(): void {
    if (asked !== undefined) asked.isAborted = true;
    asked?.controller.abort(signal.reason);
  }

  return {
    async callModel({ messages, toolChoice, lastTurn, note }) {
      history = messages;
      const step = ++steps;
      if (lastTurn !== undefined) emit({ type: 'limit', limit: lastTurn });
      emit({ type: 'step-start', step });
      const tools = toolset.definitions(model.info);
      system ??= await systemPrompt(setup); // once for a run: what requests begin with stays the same to the byte
      const request: ModelRequest = {
        system,
        messages: note === undefined ? messages : [...messages, noteMessage(note)],
        tools,
        toolChoice: tools.length > 0 ? toolChoice : 'auto',
        ...setup.request,
      };
      if (signal.aborted) return { type: 'abort' };
      const turn = emptyTurn(model.info, { id: environment.id(), runId, createdAt: environment.now() });
      const isEager = setup.isEager && toolChoice !== 'none' && lastTurn === undefined;
      asked = { request, step, turn, isEager, controller: new AbortController(), isAborted: false };
      const input = await streamTurn(setup, asked);
      asked = undefined;
      return input;
    },

    async prepareCall({ call, wasCutOff }) {
      const ready = await toolset.prepare(call);
      prepared.set(call.callId, ready);
      const { input, repairs, title, icon, effects, concurrency } = ready;
      const verdict = wasCutOff ? { result: cutOff } : await decide(call, ready);
      const part = {
        ...call,
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
      const { result, durationMs } = await caller.execute(call, ready);
      guard.record(call.name, ready, result);
      return settled(call, result, durationMs);
    },

    async settleCall({ call, result }) {
      questions.close(call.callId);
      return settled(call, result, 0);
    },

    async ask({ call, question }) {
      const ready = prepared.get(call.callId);
      const effects = ready?.effects ?? 'destructive';
      const preview = question === 'approval' ? await ready?.preview?.(setup) : undefined;
      if (signal.aborted || !prepared.has(call.callId)) return undefined; // it was settled meanwhile
      const answer = await questions.ask({ call, question, effects, preview });
      return answer === undefined ? undefined : afterAnswer(call, answer);
    },

    cancelCalls: () => caller.cancel(new Error('The time of the run is over.')),

    append({ message }) {
      if (thread === undefined) return tell(message);
      return bounded(thread.append(message), signal).then(() => tell(message));
    },

    end(state) {
      questions.closeAll();
      setup.end(state);
    },

    interrupt() {
      if (asked === undefined || isEmpty(asked.turn)) return { type: 'abort' };
      return { type: 'abort', message: toMessage(asked.turn) };
    },

    answer: questions.answer,
  };

  /** What is to become of a call that can run: it may have run already, be repeated, or need permission. */
  async function decide({ callId, name }: ToolCallPart, ready: PreparedCall): Promise<Verdict> {
    const { refusal, idempotent, toolFingerprint } = ready;
    if (refusal === undefined && past.begun.has(callId) && !idempotent)
      return setup.interactive ? { ask: 'recovery' } : { result: failure('tool_cancelled', interruptedText) };
    const repeated = refusal ?? guard.refusal(name, ready);
    if (repeated !== undefined) return { result: repeated };
    if (toolFingerprint !== undefined && past.approved.get(callId) === toolFingerprint) return 'allow';
    return judge({ ...setup, tainted: past.isTainted }, { callId, name, ready });
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

  async function afterAnswer(call: ToolCallPart, answer: Answer): Promise<RunInput> {
    const { callId, name } = call;
    const ready = prepared.get(callId) as PreparedCall;
    if (answer === 'deny') return settled(call, failure('tool_denied', denialText(name, 'user')), 0);
    if (answer === 'reject') return settled(call, failure('tool_denied', rejectedText), 0);
    if (answer === 'accept') return settled(call, accepted, 0);
    if (typeof answer === 'object' && 'output' in answer) {
      const { toolOutput } = setup.limits;
      const limit = toolOutput === undefined ? {} : { outputLimit: toolOutput };
      return settled(call, await ready.settle(answer.output, limit), 0);
    }
    if (typeof answer === 'object') return withInput(call, answer.input);
    await remember(call, answer, ready);
    return { type: 'approved', callId };
  }

  /** What the user allowed is known after an interruption too. */
  async function remember({ callId, name }: ToolCallPart, answer: Answer, ready: PreparedCall): Promise<void> {
    const { toolFingerprint = '' } = ready;
    await thread?.journal?.append({ type: 'call-approved', callId, runId, toolFingerprint, time: environment.now() });
    await setup.remember(answer, { name, toolFingerprint });
  }

  /** The user allows the call with another input; one that the tool does not take is answered as one of the model's. */
  async function withInput(call: ToolCallPart, input: JsonObject): Promise<RunInput> {
    const ready = await toolset.prepare({ name: call.name, input });
    prepared.set(call.callId, ready);
    if (ready.refusal !== undefined) return settled(call, ready.refusal, 0);
    await remember(call, 'once', ready);
    return { type: 'approved', callId: call.callId, input: ready.input };
  }

  function settled(call: ToolCallPart, result: ToolResult, durationMs: number): RunInput {
    const { callId, name } = call;
    const isOutside = (prepared.get(callId)?.openWorld ?? false) && result.toolFingerprint !== undefined;
    prepared.delete(callId);
    const part = toPart(call, result, { durationMs, ...(isOutside && { openWorld: true }) });
    const message: Message = { id: environment.id(), role: 'tool', parts: [part], createdAt: environment.now(), runId };
    endings.set(message.id, { type: 'tool-end', callId, name, result, durationMs });
    return { type: 'result', callId, message, result };
  }
}

const cutOff = failure(
  'invalid_json',
  'This call was cut off at the output limit and was not run. Send it again in smaller parts.',
);

const rejectedText = 'User rejected the tool call';

const accepted = told('This call was interrupted. The user has seen that it took effect; its output is not known.');

function toPart(
  { callId, name }: ToolCallPart,
  result: ToolResult,
  rest: Pick<ToolResultPart, 'durationMs' | 'openWorld'>,
): ToolResultPart {
  const { output, modelParts, isError, status, userView, toolFingerprint } = result;
  return {
    type: 'tool-result',
    callId,
    name,
    output,
    modelParts,
    isError,
    ...rest,
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
function noteMessage(note: string): Message {
  return { id: 'note', role: 'user', parts: [{ type: 'text', text: note }], createdAt: 0 };
}
