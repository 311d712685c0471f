import { lateResultsAsText } from '../history-view/late-results.ts';
import { isPromise } from '../../base/eventually.ts';
import type { Message, Part } from '../../model/message.ts';
import type { Model, ModelInfo, ModelRequest, ToolDefinition } from '../../model/model.ts';
import { hasSettings } from '../../model/request-settings.ts';
import type { Usage } from '../../model/usage.ts';
import { retryTurn } from './retry-turn.ts'; // static: it is needed when the network fails, and could not be loaded then
import { loadToolsTold } from '../later-code.ts';
import type { RunContext } from '../run-context.ts';
import { createHistoryView } from '../history-view/history-view.ts';
import type { HistoryView } from '../history-view/history-view.ts';
import type { Ledger } from '../budget/ledger.ts';
import type { EffectHandler } from '../loop/drive.ts';
import { defaultRetries, withCost } from '../loop/limits.ts';
import type { RunInput } from '../loop/state.ts';
import { createPatience } from './patience.ts';
import { systemPrompt, withNotes } from './prompt.ts';
import type { PlacedNote } from './prompt.ts';
import { streamTurn } from './stream-turn.ts';
import type { Asked } from './stream-turn.ts';
import type { ToolsTold } from './tools-told.ts';
import { emptyTurn, isEmpty, toMessage } from './turn.ts';
import type { Turn } from './turn.ts';

/** The turns that a run asks of its model, one after the other. */
export interface ModelTurns {
  ask: EffectHandler['call-model'];
  /** Reports that a turn failed, and resolves when it must be retried. */
  retry: EffectHandler['retry-turn'];
  /** The history of the last request; empty before the first. */
  history(): readonly Message[];
  /** The last request, as the provider was given it. */
  lastRequest(): ModelRequest | undefined;
  /** Parts of the turn that is being streamed; undefined if there is no turn, or no part yet. */
  streamed(): Message | undefined;
}

type CallModel = Parameters<EffectHandler['call-model']>[0];

/** A model as a run asks it. */
interface Asker {
  readonly model: Model;
  readonly view: HistoryView;
  readonly options: RunContext['request'];
  /** The model, as events name it. */
  readonly named: Pick<ModelInfo, 'api' | 'id'>;
  /** Made with the first request: what requests begin with stays the same to the byte. */
  system: string | undefined;
  /** The tools of the last request. */
  tools: ToolsTold | undefined;
  /** Notes to the model: about gaps in the thread, and about tools since the first request. */
  notes: readonly PlacedNote[];
}

export function createModelTurns(run: RunContext): ModelTurns {
  const { runId, toolset, environment, emit, signal, taint, calls } = run;
  const models = [run.model, ...run.fallback];
  const patience = createPatience();
  const setup = { toolset, taint, emit, environment, thread: run.thread, feed: run.feed, patience };
  let asker = askerOf(run, run.model);
  let history: readonly Message[] = [];
  let known = 0; // messages of the history whose calls have a record
  let hasPartOptions = false;
  let hasLate = false; // results of background calls
  let asked: Asked | undefined;
  let lastRequest: ModelRequest | undefined;
  let steps = 0;
  let turnId = '';
  let isLimitTold = false;
  let gapNotes: readonly PlacedNote[] | undefined;
  let broken = 0; // consecutive turns that ended early after calls

  signal.addEventListener('abort', onAbort, { once: true });
  function onAbort(): void {
    patience.stop();
    if (asked !== undefined) asked.isAborted = true;
    asked?.controller.abort(signal.reason);
  }

  /** The ids of the thread's calls are taken: a model may count its own from the beginning in each turn. */
  function takeIds(messages: readonly Message[]): void {
    for (; known < messages.length; known++)
      for (const part of messages[known]?.parts ?? [])
        if (part.type === 'tool-call' && !calls.has(part.callId)) calls.set(part.callId, undefined);
        else if (part.type === 'late-result') hasLate = true;
        else if (part.type === 'tool-result' ? part.modelParts.some(isOptioned) : isOptioned(part))
          hasPartOptions = true;
  }

  /** Chooses the model and reports the step. All attempts at a turn are one step, and one message. */
  function beginStep({ attempt, lastTurn }: CallModel): void {
    const model = modelAt(attempt.model);
    if (asker.model !== model) asker = askerOf(run, model);
    if (attempt.failed === 0) {
      steps++;
      turnId = environment.id();
    }
    if (lastTurn !== undefined && !isLimitTold) emit({ type: 'limit', limit: lastTurn });
    isLimitTold ||= lastTurn !== undefined;
    emit({ type: 'step-start', step: steps, model: asker.named });
  }

  /** Notes for the model: gaps in the thread, and tools that differ from the last request. Those of a new run are news only if one cannot be used. */
  async function noteChanges(told: readonly ToolDefinition[], messages: readonly Message[]): Promise<void> {
    const { info } = asker.model;
    const before = asker.tools;
    const now = { told, all: toolset.definitions({ api: info.api, supports: { deferredTools: true } }) };
    asker.tools = now;
    const { role, id } = messages.at(-1) ?? {};
    const hasGaps = before === undefined && (run.thread?.gaps().size ?? 0) > 0;
    if (before === undefined && role === 'user' && toolset.unavailable.length === 0 && !hasGaps) return;
    const { notesOnGaps, tellTools, tellUnavailable } = await loadToolsTold();
    if (hasGaps) asker.notes = gapNotes ??= notesOnGaps(run);
    if (run.path.length === 0) tellUnavailable(run);
    const text = await tellTools(run, info, { before, now, messages });
    if (text !== '') asker.notes = [...asker.notes, { after: id, text }];
  }

  function modelAt(index: number): Model {
    return models[index] ?? run.model;
  }

  return {
    ask(effect) {
      const ledger = run.ledger();
      return ledger === undefined ? askFor(effect) : askWithin(ledger, effect);
    },
    retry: (effect) => retryTurn(run, effect, { model: modelAt(effect.attempt.model).info, step: steps }),
    history: () => history,
    lastRequest: () => lastRequest,
    streamed: () => (asked === undefined ? undefined : streamedOf(asked.turn)),
  };

  /** Asks for a turn if its limits and budgets leave something for it. */
  async function askWithin(ledger: Ledger, effect: CallModel): Promise<RunInput> {
    const { messages, attempt, lastTurn } = effect;
    let turn: Turn | undefined;
    const input = await ledger.turn(
      {
        messages,
        model: modelAt(attempt.model).info,
        maxOutputTokens: run.request.maxOutputTokens,
        isLast: lastTurn !== undefined,
      },
      {
        ask: () => askFor(effect, (begun) => (turn = begun)),
        streamed: () => turn && streamedOf(turn),
      },
    );
    if (input === undefined) return { type: 'limit-reached', limit: 'budget' }; // the run is being stopped
    if (input.type === 'limit-reached' && input.limit === 'budget') emit({ type: 'limit', limit: 'budget' });
    return input;
  }

  async function askFor(effect: CallModel, begun?: (turn: Turn) => void): Promise<RunInput> {
    history = effect.messages;
    beginStep(effect);
    const tools = toolset.definitions(asker.model.info);
    asker.system ??= await firstPrompt(run, asker.model.info);
    if (tools !== asker.tools?.told) await noteChanges(tools, effect.messages);
    takeIds(effect.messages);
    if (hasPartOptions) (await loadToolsTold()).tellIgnoredOptions(run, asker.model.info, effect.messages);
    const next = asker.view.next(effect.messages, effect.shrink, asker);
    const view = isPromise(next) ? await next : next;
    const shown = hasLate ? lateResultsAsText(view) : view;
    if (signal.aborted) return { type: 'abort' };
    lastRequest = {
      system: asker.system,
      messages: withNotes(shown, asker.notes, effect.note),
      tools,
      toolChoice: tools.length > 0 ? effect.toolChoice : 'auto',
      ...asker.options,
    };
    asked = asking(effect, lastRequest);
    begun?.(asked.turn);
    return afterTurn(await streamTurn(setup, asked));
  }

  function asking(effect: CallModel, request: ModelRequest): Asked {
    const { toolChoice, attempt } = effect;
    const { model } = asker;
    const start = { id: turnId, runId, createdAt: environment.now(), taint };
    const hasFallback = attempt.model + 1 < models.length;
    return {
      model,
      request,
      step: steps,
      turn: emptyTurn(model.info, start, calls),
      isEager: run.isEager && toolChoice !== 'none' && effect.lastTurn === undefined,
      mayGoOn: broken < Math.max(run.limits.retries ?? defaultRetries, hasFallback ? 1 : 0),
      hasFallback,
      controller: new AbortController(),
      isAborted: false,
      draftAt: Infinity,
    };
  }

  function afterTurn(input: RunInput): RunInput {
    asked = undefined;
    broken = input.type === 'turn' && input.reason === 'error' ? broken + 1 : 0;
    if (input.type !== 'turn') return input;
    asker.view.counted(input.usage.inputTokens);
    run.spendOuter?.(input.usage);
    return input;
  }
}

function isOptioned(part: Part): boolean {
  return 'providerOptions' in part;
}

/** The system prompt of a model that is asked for the first time. */
async function firstPrompt(run: RunContext, info: ModelInfo): Promise<string> {
  if (hasSettings(run.request)) (await loadToolsTold()).tellIgnoredSettings(run, info);
  return systemPrompt(run, info);
}

function streamedOf(turn: Turn): Message | undefined {
  return isEmpty(turn) ? undefined : toMessage(turn);
}

function askerOf(run: RunContext, model: Model): Asker {
  const { request, repeatedContent, environment } = run;
  const spend = (counted: Usage): void => {
    const usage = withCost(counted, model.info);
    run.ledger()?.note(usage);
    run.spend(usage);
  };
  const view = createHistoryView(
    { ...run, model, now: environment.now, after: environment.after, spend },
    repeatedContent,
  );
  const { providerOptions, ...options } = request;
  const isOfSameApi = model.info.api === run.model.info.api; // another vendor knows other options
  return {
    model,
    view,
    options: isOfSameApi ? request : options,
    named: { api: model.info.api, id: model.info.id },
    system: undefined,
    tools: undefined,
    notes: [],
  };
}
