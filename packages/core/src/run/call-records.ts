import { callsOf } from '../model/message.ts';
import type { Message, ToolCallPart } from '../model/message.ts';
import type { PreparedCall } from '../call/prepare.ts';
import type { CallEntry } from '../thread/thread.ts';
import type { ToolEnd } from '../tool/run-event.ts';

/** Everything that a run knows of one call. A field is set once it is known, and dropped once it is of no use. */
export interface CallRecord {
  /** Before an interruption it had begun, and may have taken effect. */
  wasBegun?: boolean;
  /** The user's approval before an interruption, as the journal has it. */
  approval?: CallEntry;
  /** The call as prepared last, until it has a result. */
  ready?: PreparedCall | undefined;
  /** A person has seen all that it changes, and allowed that. */
  isReviewed?: boolean;
  /** Whether the turn that made it is stored. Absent: nobody has to wait for that. */
  turn?: 'streamed' | 'stored';
  /** The call of the model, while it runs. */
  running?: ToolCallPart | undefined;
  /** The journal entry of its beginning: stored, or on its way. */
  begun?: Promise<void> | undefined;
  /** Its end, which is told once the message with its result is stored. */
  ending?: { readonly messageId: string; readonly event: ToolEnd } | undefined;
}

/** The calls of a run and of its thread, by id. */
export interface CallRecords {
  /** True if the id is taken. */
  has(callId: string): boolean;
  /** Takes an id, of which nothing else is known. */
  add(callId: string): void;
  get(callId: string): CallRecord | undefined;
  /** The record of a call, which begins empty. */
  of(callId: string): CallRecord;
}

export function createCallRecords(): CallRecords {
  const records = new Map<string, CallRecord | undefined>();
  return {
    has: (callId) => records.has(callId),
    add(callId) {
      if (!records.has(callId)) records.set(callId, undefined);
    },
    get: (callId) => records.get(callId),
    of(callId) {
      const record = records.get(callId) ?? {};
      records.set(callId, record);
      return record;
    },
  };
}

/** Waits for turns to be stored before what their calls do inside may take effect. */
export interface TurnStorage {
  /** A message is stored. */
  stored(message: Message): void;
  /** Has the turn of a call stored that is not. Throws the signal's reason if the run is over before. */
  until(callId: string): Promise<void>;
}

/** `store` is called if a turn is waited for. */
export function createTurnStorage(records: CallRecords, store: () => void, signal: AbortSignal): TurnStorage {
  const waiting = new Map<() => void, CallRecord>();

  function settle(): void {
    for (const [resolve, record] of waiting) {
      if (!signal.aborted && record.turn === 'streamed') continue;
      waiting.delete(resolve);
      resolve();
    }
  }

  signal.addEventListener('abort', settle, { once: true });
  return {
    stored(message) {
      for (const { callId } of callsOf(message)) records.of(callId).turn = 'stored';
      if (waiting.size > 0) settle();
    },
    async until(callId) {
      const record = records.get(callId);
      if (record?.turn !== 'streamed') return;
      const isStored = new Promise<void>((resolve) => waiting.set(resolve, record));
      if (!signal.aborted) {
        store();
        await isStored;
      }
      signal.throwIfAborted();
    },
  };
}
