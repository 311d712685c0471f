import { callsOf } from '../model/message.ts';
import type { Message } from '../model/message.ts';

/** Which calls run though their turn is not stored yet. */
export interface StoredCalls {
  /** A turn of the model begins. */
  nextTurn(): void;
  /** A call of this turn begins. */
  begin(callId: string): void;
  /** A message is stored. */
  add(message: Message): void;
  /** Has a call stored that is not. Throws the signal's reason where the run is over before. */
  until(callId: string): Promise<void>;
}

/** `store` is called where a call is waited for. */
export function createStoredCalls(store: () => void, signal: AbortSignal): StoredCalls {
  const stored = new Set<string>();
  const open = new Set<string>();
  const waiting = new Map<() => void, string>();

  function settle(): void {
    for (const [resolve, callId] of waiting) {
      if (!signal.aborted && open.has(callId)) continue;
      waiting.delete(resolve);
      resolve();
    }
  }

  signal.addEventListener('abort', settle, { once: true });
  return {
    nextTurn: () => stored.clear(),
    begin(callId) {
      if (!stored.has(callId)) open.add(callId);
    },
    add(message) {
      for (const { callId } of callsOf(message)) {
        stored.add(callId);
        open.delete(callId);
      }
      settle();
    },
    async until(callId) {
      if (!open.has(callId)) return;
      const isStored = new Promise<void>((resolve) => waiting.set(resolve, callId));
      if (!signal.aborted) {
        store();
        await isStored;
      }
      signal.throwIfAborted();
    },
  };
}
