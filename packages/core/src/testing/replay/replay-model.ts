import { UtensilError } from '../../base/errors.ts';
import { callsOf } from '../../model/message.ts';
import type { Message, Part } from '../../model/message.ts';
import type { Model, ModelInfo, ModelPart, ModelRequest } from '../../model/model.ts';
import { noUsage } from '../../model/usage.ts';
import { messageIn } from './segment.ts';
import type { StoredTurn } from './script.ts';
import type { Stage } from './stage.ts';

/** The models of a segment in fallback order; they play the stored turns. */
export function replayModels(stage: Stage, info: Partial<ModelInfo>): readonly [Model, ...Model[]] {
  const { turns } = stage.script;
  const places: number[] = []; // by turn, its model
  const infos: ModelInfo[] = [];
  for (const { streamed } of turns) {
    const { api = 'text', model: id = 'replayed' } = streamed.origin ?? {};
    const last = infos.at(-1);
    if (last === undefined || last.api !== api || last.id !== id) infos.push({ ...info, api, id });
    places.push(infos.length - 1);
  }
  const [first = { api: 'text', id: 'replayed', ...info }, ...rest] = infos;
  const modelAt = (each: ModelInfo, place: number): Model => ({
    info: each,
    stream: (request, { signal }) =>
      summaryFor(stage, request) ?? play(stage, { isMine: (turn) => (places[turn] ?? place) === place, signal }),
  });
  return [modelAt(first, 0), ...rest.map((each, index) => modelAt(each, index + 1))];
}

/** The stored summary of omitted messages; undefined if a turn is requested. */
function summaryFor({ script, expectation }: Stage, { messages }: ModelRequest): AsyncIterable<ModelPart> | undefined {
  const [{ id } = { id: '' }] = messages;
  if (messages.length !== 1 || !id.endsWith('/summary')) return undefined;
  const before = expectation.storedId(id.slice(0, -'/summary'.length));
  const text = script.compactions.find((each) => each.before === before)?.summary ?? '';
  return (async function* summary() {
    yield { type: 'text-delta', text } as const;
    yield { type: 'finish', reason: 'stop', usage: noUsage } as const;
  })();
}

interface Playing {
  /** True if this model produced the turn. */
  isMine(turn: number): boolean;
  readonly signal: AbortSignal;
}

async function* play(stage: Stage, { isMine, signal }: Playing): AsyncGenerator<ModelPart> {
  const { script, segment } = stage;
  stage.activity++;
  if (!isMine(stage.asked)) throw new UtensilError('model_failed', 'Another model answered.');
  const place = stage.asked++;
  const turn = script.turns[place];
  if (turn === undefined) return afterLast(stage, signal);
  for (const part of turn.streamed.parts) {
    yield* partsOf(part);
    if (part.type === 'tool-call') noteStreamed(stage, part.callId);
  }
  stage.send(place);
  await releaseLate(stage, place);
  if (turn.streamed.incomplete === undefined) return yield finishOf(turn);
  if (place < script.turns.length - 1)
    throw new UtensilError('stream_truncated', 'The answer ended early.', { retryable: true });
  if (segment.end?.status === 'error') throw new UtensilError('model_failed', 'The answer ended early.');
  await untilAborted(signal);
}

/** The run has received this call. */
function noteStreamed({ streamed, waiting }: Stage, callId: string): void {
  streamed.add(callId);
  for (const look of waiting) look();
}

/** A turn is requested that is not stored: it failed, was aborted before it said anything, or nobody asked for it. */
async function afterLast(stage: Stage, signal: AbortSignal): Promise<void> {
  const { segment } = stage;
  const { end, own } = segment;
  if (end?.status === 'error') throw new UtensilError('model_failed', 'The model failed.');
  const last = own.flatMap(({ entry }) => messageIn(entry) ?? []).at(-1);
  if (end !== undefined && (isAnswer(last) || !['aborted', 'limit', 'stopped'].includes(end.status ?? '')))
    stage.diverge({
      message: `The model is asked for one more turn; the run ended there as "${end.status}".`,
      field: 'request',
    });
  await untilAborted(signal);
}

/** Number of event loop rounds to wait for a background call. */
const mostRounds = 100;

/**
 * Results and cancellations that came after this turn are delivered before it is over, so that they precede the next
 * one.
 */
async function releaseLate(stage: Stage, place: number): Promise<void> {
  const { script, background } = stage;
  const due = [...script.late].flatMap(([callId, { turn }]) => (turn === place ? callId : []));
  if (due.length === 0) return;
  const untilNext = (): Promise<unknown> => new Promise<void>((resolve) => void setTimeout(resolve, 0));
  for (let round = 0; round < mostRounds && !due.every((callId) => background.has(callId)); round++) await untilNext();
  for (const callId of due) background.get(callId)?.();
  await untilNext();
}

function isAnswer(message: Message | undefined): boolean {
  return message?.role === 'assistant' && message.incomplete === undefined && callsOf(message).length === 0;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function* partsOf(part: Part): Generator<ModelPart> {
  switch (part.type) {
    case 'text':
      return yield { type: 'text-delta', text: part.text };
    case 'reasoning':
      return yield { type: 'reasoning-delta', text: part.text };
    case 'tool-call': {
      const { title: _, icon: __, repairs: ___, calledAs, name, ...call } = part;
      return yield { ...call, name: calledAs ?? name };
    }
    case 'source':
    case 'file':
      return yield part;
    default:
      return undefined; // no model produced it
  }
}

function finishOf({ streamed, reason }: StoredTurn): ModelPart {
  const state = streamed.origin?.state;
  return { type: 'finish', reason, usage: streamed.usage ?? noUsage, ...(state !== undefined && { state }) };
}
