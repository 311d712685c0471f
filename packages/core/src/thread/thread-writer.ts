import { isUtensilError, UtensilError } from '../base/errors.ts';
import { toJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { textOf } from '../model/message.ts';
import type { Message } from '../model/message.ts';
import type { RecordChange, RecordCommitOptions } from '../records/commit.ts';
import type { StoredRecord } from '../records/content.ts';
import type { RecordStore } from '../records/records.ts';
import { isMessage } from './message-shape.ts';

/** Keys of the records of a thread. */
export interface ThreadKeys {
  readonly summary: readonly string[];
  /** A message that is incomplete stays here until another one follows: drafts replace each other. */
  readonly draft: readonly string[];
  readonly log: readonly string[];
  readonly calls: readonly string[];
}

/** What a writer of a thread needs. */
export interface WriterOptions {
  readonly id: string;
  readonly keys: ThreadKeys;
  warn?(problem: UtensilError): void;
}

/** Stores what a thread is given, each time with one commit, and nothing once the thread is deleted. */
export interface ThreadWriter {
  message(message: Message): Promise<void>;
  entry(entry: Json, options?: Pick<RecordCommitOptions, 'durable'>): Promise<void>;
  /** The thread exists: if it does no more, it was deleted. */
  seen(): void;
}

/** The records that a commit depends on. */
interface Head {
  readonly summary: StoredRecord | undefined;
  readonly draft: StoredRecord | undefined;
}

/** More changes by others than one write meets. */
const mostAttempts = 100;

export function createWriter(records: RecordStore, { id, keys, warn }: WriterOptions): ThreadWriter {
  let head: Head | undefined;
  let existed = false;

  async function readHead(): Promise<Head> {
    const found = { summary: await readUsable(keys.summary), draft: await readUsable(keys.draft) };
    if (found.summary === undefined && existed && (await records.last(keys.log)) === 0) throw deleted(id);
    existed ||= found.summary !== undefined;
    return found;
  }

  /** A record that cannot be read is put aside: the messages do not depend on it. */
  async function readUsable(key: readonly string[]): Promise<StoredRecord | undefined> {
    try {
      return await records.get(key);
    } catch (error) {
      if (!isUtensilError(error, 'record_corrupt')) throw error;
      await records.setAside(key);
      warn?.(error);
      return undefined;
    }
  }

  /** Commits what is planned over the records as they are; again, if others have changed them meanwhile. */
  async function commit(plan: (head: Head) => readonly RecordChange[], options: RecordCommitOptions): Promise<void> {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const { summary, draft } = (head ??= await readHead());
      const expect = [
        { key: keys.summary, etag: summary?.etag ?? null },
        { key: keys.draft, etag: draft?.etag ?? null },
      ];
      const changes = plan({ summary, draft });
      const done = await records.commit(changes, { ...options, expect });
      head = undefined;
      if (!done.ok) continue;
      const written = (key: readonly string[]): StoredRecord | undefined =>
        done.records.find((record) => sameKey(record.key, key));
      const isDraftRemoved = changes.some(({ type }) => type === 'remove');
      head = {
        summary: written(keys.summary) ?? summary,
        draft: isDraftRemoved ? undefined : (written(keys.draft) ?? draft),
      };
      existed ||= head.summary !== undefined;
      return;
    }
    throw new UtensilError('ECONFLICT', `Thread "${id}" is changed by others all the time: try again later.`);
  }

  return {
    message: (message) => commit((before) => changesFor(before, message, { id, keys }), {}),
    entry: (value, options = {}) => commit(() => [{ type: 'append', log: keys.calls, value }], options),
    seen: () => (existed = true),
  };
}

/** The changes that store a message: at the end of the log, behind the draft before it, or as the draft. */
function changesFor(
  { summary, draft }: Head,
  message: Message,
  { id, keys }: Pick<WriterOptions, 'id' | 'keys'>,
): readonly RecordChange[] {
  const value = toJson(message);
  const drafted = draft !== undefined && isMessage(draft.value) ? draft.value : undefined;
  const changes: RecordChange[] = [];
  if (summary === undefined) changes.push({ type: 'put', key: keys.summary, value: summaryOf(id, message) });
  if (draft !== undefined && drafted !== undefined && drafted.id !== message.id)
    changes.push({ type: 'append', log: keys.log, value: draft.value });
  if (message.incomplete === true) return [...changes, { type: 'put', key: keys.draft, value }];
  changes.push({ type: 'append', log: keys.log, value });
  if (draft !== undefined) changes.push({ type: 'remove', key: keys.draft });
  return changes;
}

function summaryOf(id: string, { parts, createdAt }: Message): Json {
  const title = [...textOf(parts).replaceAll(/\s+/g, ' ').trim()].slice(0, 60).join('') || 'Untitled';
  return { id, title, createdAt };
}

function sameKey(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

function deleted(id: string): UtensilError {
  return new UtensilError(
    'thread_deleted',
    `Thread "${id}" was deleted: nothing more is stored there. Begin another one.`,
  );
}
