import type { Message } from '../model/message.ts';
import type { ModelRequest } from '../model/model.ts';
import type { Usage } from '../model/usage.ts';
import type { RunContext } from './run-context.ts';
import { createHistoryView } from './history-view/history-view.ts';
import type { EffectHandler } from './loop/drive.ts';
import { noteMessage, systemPrompt } from './prompt.ts';
import { streamTurn } from './stream-turn.ts';
import type { Asked } from './stream-turn.ts';
import { emptyTurn, isEmpty, toMessage } from './turn.ts';

/** The turns that a run asks of its model, one after the other. */
export interface ModelTurns {
  ask: EffectHandler['callModel'];
  /** The history of the last request; empty before the first. */
  history(): readonly Message[];
  /** The last request, as the provider was given it. */
  lastRequest(): ModelRequest | undefined;
  /** What has come of the turn that is being streamed; undefined if there is none, or nothing yet. */
  streamed(): Message | undefined;
}

export function createModelTurns(run: RunContext): ModelTurns {
  const { runId, model, toolset, environment, emit, signal, taint, calls } = run;
  const spend = (usage: Usage): void => run.feed({ type: 'spent', usage });
  const view = createHistoryView({ ...run, now: environment.now, spend }, run.repeatedContent);
  let history: readonly Message[] = [];
  let known = 0; // messages of the history whose calls have a record
  let asked: Asked | undefined;
  let lastRequest: ModelRequest | undefined;
  let steps = 0;
  let system: string | undefined;

  signal.addEventListener('abort', onAbort, { once: true });
  function onAbort(): void {
    if (asked !== undefined) asked.isAborted = true;
    asked?.controller.abort(signal.reason);
  }

  /** The ids of the thread's calls are taken: a model may count its own from the beginning in each turn. */
  function takeIds(messages: readonly Message[]): void {
    for (; known < messages.length; known++)
      for (const part of messages[known]?.parts ?? [])
        if (part.type === 'tool-call' && !calls.has(part.callId)) calls.set(part.callId, undefined);
  }

  return {
    async ask({ messages, toolChoice, shrink, lastTurn, note }) {
      history = messages;
      const step = ++steps;
      if (lastTurn !== undefined) emit({ type: 'limit', limit: lastTurn });
      emit({ type: 'step-start', step, model: { api: model.info.api, id: model.info.id } });
      const tools = toolset.definitions(model.info);
      system ??= await systemPrompt(run); // once for a run: what requests begin with stays the same to the byte
      const shown = await view.next(messages, shrink);
      const request: ModelRequest = {
        system,
        messages: note === undefined ? shown : [...shown, noteMessage(note)],
        tools,
        toolChoice: tools.length > 0 ? toolChoice : 'auto',
        ...run.request,
      };
      if (signal.aborted) return { type: 'abort' };
      lastRequest = request;
      takeIds(messages);
      const turn = emptyTurn(model.info, { id: environment.id(), runId, createdAt: environment.now(), taint }, calls);
      const isEager = run.isEager && toolChoice !== 'none' && lastTurn === undefined;
      asked = { request, step, turn, isEager, controller: new AbortController(), isAborted: false };
      const input = await streamTurn(run, asked);
      asked = undefined;
      if (input.type === 'turn') view.counted(input.usage.inputTokens);
      return input;
    },
    history: () => history,
    lastRequest: () => lastRequest,
    streamed: () => (asked === undefined || isEmpty(asked.turn) ? undefined : toMessage(asked.turn)),
  };
}
