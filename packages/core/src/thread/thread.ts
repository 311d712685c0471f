import { isUtensilError, UtensilError } from '../base/errors.ts';
import { isObject, toJson } from '../base/json.ts';
import type { Message, ToolCallPart } from '../model/message.ts';
import type { RecordStore } from '../records/records.ts';
import { isMessage } from './message-shape.ts';
import { createWriter } from './thread-writer.ts';

/** The persisted message history of a conversation. */
export interface Thread {
  readonly id: string;
  /** All messages that can be read, oldest first. */
  messages(): Promise<readonly Message[]>;
  /** Stores a message at the end, or in place of an earlier one of the same id. */
  append(message: Message): Promise<void>;
  /** What is known of its calls beyond their messages. Without one, any call without a result may have taken effect. */
  readonly journal?: Journal;
}

/** What a thread keeps beside its messages. */
export type JournalEntry = CallEntry | CompactionEntry;

/** What happened to a call before it had its result. */
export interface CallEntry {
  /** It may have taken effect from here on, or the user has allowed it. */
  readonly type: 'call-begun' | 'call-approved';
  readonly callId: string;
  readonly runId: string;
  /** What it was begun or allowed with. */
  readonly toolFingerprint?: string;
  /** The call itself, where its message may be lost with the power and this entry is not. */
  readonly call?: ToolCallPart;
  /** Of an approval: proves that the app stored it. See `hmacSeals`. */
  readonly seal?: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Requests leave out what was before a message, from here on. */
export interface CompactionEntry {
  readonly type: 'compacted';
  /** The id of the first message that is not left out. */
  readonly before: string;
  /** What the model is told of what is left out. */
  readonly summary?: string;
  readonly runId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** The journal of a thread: what a run needs to go on after an interruption without doing anything twice. */
export interface Journal {
  /** Stores an entry; what it tells of happens after that. `durable`: a loss of power does not undo it. */
  append(entry: JournalEntry, options?: { readonly durable?: boolean }): Promise<void>;
  /** In the order in which they were stored. */
  entries(): Promise<readonly JournalEntry[]>;
}

/** A thread in a list of threads. */
export interface ThreadSummary {
  readonly id: string;
  /** The beginning of its first message. */
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** What {@link openThread} may be told. */
export interface ThreadOptions {
  /** Told of a message that cannot be read. It is left where it is, and the others are given. */
  warn?(problem: UtensilError): void;
}

/**
 * A thread in records; it begins to exist with its first message. Once it is deleted, `append` throws `thread_deleted`.
 *
 * @example
 * ```ts
 * import { createRecords, openThread } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const thread = openThread(createRecords(memoryStorage()), 'first');
 * await thread.append({ id: '1', role: 'user', parts: [{ type: 'text', text: 'Hi' }], createdAt: Date.now() });
 * ```
 */
export function openThread(records: RecordStore, id: string, { warn }: ThreadOptions = {}): Thread {
  const keys = {
    summary: ['threads', id],
    draft: ['threads', id, 'draft'],
    log: ['threads', id, 'messages'],
    calls: ['threads', id, 'calls'],
  };
  const writer = createWriter(records, { id, keys, ...(warn && { warn }) });

  async function readDraft(): Promise<Message | undefined> {
    try {
      const value = (await records.get(keys.draft))?.value;
      if (value === undefined || isMessage(value)) return value;
      warn?.(notAMessage(keys.draft));
    } catch (error) {
      if (!isUtensilError(error, 'record_corrupt')) throw error;
      warn?.(error);
    }
    return undefined;
  }

  return {
    id,
    async messages() {
      const draft = await readDraft(); // first: what replaces it meanwhile is in the log then
      const byId = new Map<string, Message>();
      for await (const record of records.list(keys.log)) {
        if ('problem' in record) warn?.(record.problem);
        else if (isMessage(record.value)) byId.set(record.value.id, record.value);
        else warn?.(notAMessage(record.key));
      }
      const isWhole = draft !== undefined && byId.has(draft.id) && byId.get(draft.id)?.incomplete === undefined;
      if (draft !== undefined && !isWhole) byId.set(draft.id, draft);
      if (byId.size > 0) writer.seen();
      return [...byId.values()];
    },
    append: writer.message,
    journal: {
      append: (entry, options) => writer.entry(toJson(entry), options),
      async entries() {
        const entries: JournalEntry[] = [];
        for await (const record of records.list(keys.calls)) {
          if ('problem' in record) warn?.(record.problem);
          else if (isEntry(record.value)) entries.push(record.value);
        }
        return entries;
      },
    },
  };
}

/** Removes a thread with all that belongs to it. */
export async function deleteThread(records: RecordStore, id: string): Promise<void> {
  await records.remove(['threads', id], { recursive: true });
}

/** All threads, newest first. */
export async function listThreads(records: RecordStore): Promise<readonly ThreadSummary[]> {
  const summaries: ThreadSummary[] = [];
  for await (const record of records.list(['threads'])) {
    if ('problem' in record) summaries.push({ id: record.key.at(-1) ?? '', title: '(unreadable)', createdAt: 0 });
    else if (isSummary(record.value)) summaries.push(record.value);
  }
  return summaries.sort((a, b) => b.createdAt - a.createdAt);
}

function isEntry(value: unknown): value is JournalEntry {
  if (!isObject(value)) return false;
  if (value['type'] === 'compacted') return typeof value['before'] === 'string';
  return ['call-begun', 'call-approved'].includes(String(value['type'])) && typeof value['callId'] === 'string';
}

function isSummary(value: unknown): value is ThreadSummary {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['title'] === 'string' &&
    typeof value['createdAt'] === 'number'
  );
}

function notAMessage(key: readonly string[]): UtensilError {
  return new UtensilError(
    'record_corrupt',
    `record_corrupt: the record '${key.join('/')}' is not a message. It was left as it is.`,
  );
}
