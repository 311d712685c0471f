import type { Message, Part } from '../message.ts';
import type { Finish, ModelInfo, ModelPart } from '../model.ts';

/** Folds the stream of a turn into its message. */
export interface Turn {
  add(part: ModelPart): void;
  readonly finish: Finish | undefined;
  /** The message so far. Without a finish it is incomplete: no calls, which nobody may run, and no provider state. */
  message(id: string, createdAt: number): Message;
  readonly isEmpty: boolean;
}

/** An empty turn of a model. */
export function createTurn(model: ModelInfo): Turn {
  const parts: Part[] = [];
  let open: { readonly type: 'text' | 'reasoning'; readonly chunks: string[] } | undefined;
  let finish: Finish | undefined;

  function close(): void {
    if (open !== undefined) parts.push({ type: open.type, text: open.chunks.join('') });
    open = undefined;
  }

  function append(type: 'text' | 'reasoning', text: string): void {
    if (open?.type !== type) close();
    open ??= { type, chunks: [] };
    open.chunks.push(text);
  }

  return {
    add(part) {
      switch (part.type) {
        case 'text-delta':
          return append('text', part.text);
        case 'reasoning-delta':
          return append('reasoning', part.text);
        case 'tool-call':
        case 'source':
        case 'file':
          close();
          parts.push(part);
          return;
        case 'finish':
          finish = part;
          return;
        case 'tool-input-start':
        case 'tool-input-delta':
          return; // for those who watch; the call follows whole
      }
    },
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
      return { ...base, parts: [...parts], origin: state === undefined ? origin : { ...origin, state } };
    },
  };
}
