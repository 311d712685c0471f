import type { Message, Part } from '../message.ts';
import type { Finish, ModelInfo, ModelPart, ToolCall } from '../model.ts';

/** Folds the stream of a turn into its message. */
export interface Turn {
  /** Takes the next part, and gives it as the message has it: a call whose id was taken has one of its own. */
  add(part: ModelPart): ModelPart;
  readonly finish: Finish | undefined;
  readonly isEmpty: boolean;
  /** The message so far. Without a finish it is incomplete: no calls, which nobody may run, and no provider state. */
  message(id: string, createdAt: number): Message;
}

/** An empty turn of a model. */
export function createTurn(model: ModelInfo): Turn {
  const parts: Part[] = [];
  const ids = new Set<string>();
  let open: { readonly type: 'text' | 'reasoning'; readonly chunks: string[] } | undefined;
  let finish: Finish | undefined;
  let isRenamed = false;

  function close(): void {
    if (open !== undefined) parts.push({ type: open.type, text: open.chunks.join('') });
    open = undefined;
  }

  function append(type: 'text' | 'reasoning', text: string): void {
    if (open?.type !== type) close();
    open ??= { type, chunks: [] };
    open.chunks.push(text);
  }

  /** Some servers give every call the same id, or none. */
  function unique(call: ToolCall): ToolCall {
    let { callId } = call;
    for (let count = 2; callId === '' || ids.has(callId); count++) callId = `${call.callId || 'call'}-${count}`;
    ids.add(callId);
    isRenamed ||= callId !== call.callId;
    return callId === call.callId ? call : { ...call, callId };
  }

  function add(part: ModelPart): ModelPart {
    switch (part.type) {
      case 'text-delta':
        append('text', part.text);
        return part;
      case 'reasoning-delta':
        append('reasoning', part.text);
        return part;
      case 'tool-call': {
        close();
        const call = unique(part);
        parts.push(call);
        return call;
      }
      case 'source':
      case 'file':
        close();
        parts.push(part);
        return part;
      case 'finish':
        finish = part;
        return part;
      case 'tool-input-start':
      case 'tool-input-delta':
        return part; // for those who watch; the call follows whole
    }
  }

  return {
    add,
    get finish() {
      return finish;
    },
    get isEmpty() {
      return parts.length === 0 && open === undefined;
    },
    message(id, createdAt) {
      close();
      const origin = { api: model.api, model: model.id };
      const base = { id, role: 'assistant', createdAt } as const;
      if (finish === undefined) {
        const shown = parts.filter((part) => part.type !== 'tool-call');
        return { ...base, parts: shown, origin, incomplete: true };
      }
      const { state } = finish;
      const isEchoed = state !== undefined && !isRenamed; // else it has ids that no result has
      return { ...base, parts: [...parts], origin: isEchoed ? { ...origin, state } : origin };
    },
  };
}
