import type { Message, Part } from '../../model/message.ts';
import type { Finish, ModelInfo, ModelPart, ToolCall } from '../../model/model.ts';
import { uniqueCallId } from '../../model/sub-call.ts';
import type { Taint } from '../taint.ts';

/** The stream of a turn so far. */
export interface Turn extends Pick<Message, 'id' | 'createdAt'> {
  readonly runId: string | undefined;
  readonly model: ModelInfo;
  /** An array is never changed: messages have it, too. */
  parts: readonly Part[];
  /** The text that is being written; it is a part once it has ended. */
  open: { readonly type: 'text' | 'reasoning'; text: string } | undefined;
  finish: Finish | undefined;
  /** The ids of calls, of this turn and of those before. */
  readonly callIds: Map<string, unknown>;
  /** Some call has another id than the provider gave it. */
  isRenamed: boolean;
  /** Taint of its run. */
  readonly taint: Pick<Taint, 'isTainted'> | undefined;
}

/** An empty turn of a model. `callIds`: those of the turns before it. */
export function emptyTurn(
  model: ModelInfo,
  start: Pick<Turn, 'id' | 'createdAt'> & Partial<Pick<Turn, 'runId' | 'taint'>>,
  callIds: Map<string, unknown> = new Map(),
): Turn {
  const { id, runId, createdAt, taint } = start;
  return {
    id,
    runId,
    createdAt,
    taint,
    model,
    parts: [],
    open: undefined,
    finish: undefined,
    callIds,
    isRenamed: false,
  };
}

/** True if nothing has arrived that a message could show. */
export function isEmpty({ parts, open }: Turn): boolean {
  return parts.length === 0 && open === undefined;
}

/** Takes the next part, and gives it as the message has it: a call whose id was taken has one of its own. */
export function addPart(turn: Turn, part: ModelPart): ModelPart {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
      write(turn, part.type === 'text-delta' ? 'text' : 'reasoning', part.text);
      return part;
    case 'tool-call': {
      close(turn);
      const call = unique(turn, part);
      turn.parts = [...turn.parts, call];
      return call;
    }
    case 'source':
    case 'file':
    case 'provider-result':
      close(turn);
      turn.parts = [...turn.parts, part];
      return part;
    case 'finish':
      turn.finish = part;
      return part;
    case 'tool-input-start':
    case 'tool-input-delta':
      return part; // for those who watch; the call follows whole
  }
}

function write(turn: Turn, type: 'text' | 'reasoning', text: string): void {
  if (turn.open?.type !== type) close(turn);
  turn.open ??= { type, text: '' };
  turn.open.text += text;
}

function close(turn: Turn): void {
  if (turn.open === undefined) return;
  turn.parts = [...turn.parts, turn.open];
  turn.open = undefined;
}

/** Some servers give every call the same id, or no id, or restart their count in each turn. */
function unique(turn: Turn, call: ToolCall): ToolCall {
  const callId = uniqueCallId(call.callId, turn.callIds);
  turn.callIds.set(callId, undefined);
  if (callId === call.callId) return call;
  turn.isRenamed = true;
  return { ...call, callId };
}

/** The message so far. Without a finish it is incomplete, and has no provider state. */
export function toMessage(turn: Turn): Message {
  const { id, runId, createdAt, model, open, finish, isRenamed } = turn;
  if (finish !== undefined) close(turn);
  const { parts } = turn;
  const state = isRenamed ? undefined : finish?.state; // it has ids that no result has
  return {
    id,
    role: 'assistant',
    createdAt,
    parts: finish === undefined && open !== undefined ? [...parts, { ...open }] : parts,
    origin: { api: model.api, model: model.id, ...(state !== undefined && { state }) },
    ...(finish === undefined ? ({ incomplete: true } as const) : { usage: finish.usage }),
    ...(runId !== undefined && { runId }),
    ...(turn.taint?.isTainted === true && { tainted: true }),
  };
}
