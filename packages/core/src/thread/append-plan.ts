import { toJson } from '../base/json.ts';
import type { Message } from '../model/message.ts';
import { logKey } from '../files/record-key.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { RecordChange } from '../records/commit.ts';
import type { StoredEntry, ThreadEntry } from './entry.ts';
import { mostTogether, toRecord } from './entry-shape.ts';
import { exists } from './thread-errors.ts';

/** Knowledge of one instance about its thread's log. */
export interface KnownLog {
  /** Position of the last entry. */
  readonly last: number;
  /** Ids of its messages, and whether each is complete. */
  readonly ids: ReadonlyMap<string, boolean>;
  readonly draft: Message | undefined;
}

/** Result of planning an append. */
export interface AppendPlan {
  /** Entries to add to the log. */
  readonly added: readonly StoredEntry['entry'][];
  /** Position of the last entry after the append. */
  readonly last: number;
  /** The draft after the append. */
  readonly draft: Message | undefined;
}

/** The keys of a thread's log and of its draft. */
export const logOf = (thread: RecordKey): RecordKey => [...thread, 'messages'];
export const draftKey = (thread: RecordKey): RecordKey => [...thread, 'draft'];

/** Plans an append to the known log. Throws `entry_exists`. */
export function planAppend(thread: RecordKey, entries: readonly ThreadEntry[], known: KnownLog): AppendPlan {
  const added: StoredEntry['entry'][] = [];
  const ids = new Map<string, boolean>();
  let { draft } = known;

  /** A message replaces its own draft. */
  function addMessage(message: Message): void {
    const isWhole = ids.get(message.id) ?? known.ids.get(message.id);
    if (isWhole === true) throw exists(thread, message.id);
    ids.set(message.id, isWholeMessage(message));
    added.push({ type: isWhole === undefined ? 'message' : 'revision', message });
  }

  function setDraft(message: Message): void {
    if (known.ids.has(message.id) || ids.has(message.id)) return addMessage(message); // other messages followed it
    if (draft !== undefined && draft.id !== message.id) addMessage(draft);
    draft = message;
  }

  for (const entry of entries) {
    if (entry.type === 'draft') setDraft(entry.message);
    else if (entry.type !== 'message') added.push(entry);
    else {
      if (draft !== undefined && draft.id !== entry.message.id) addMessage(draft);
      draft = undefined;
      addMessage(entry.message);
    }
  }

  return { added, last: known.last + added.length, draft };
}

/**
 * The changes of records that an append is. Entries that are stored together share a record, under the position of the
 * last of them: one record is stored without a journal, in a fraction of the time.
 */
export function changesOf(thread: RecordKey, { added, draft }: AppendPlan, known: KnownLog): readonly RecordChange[] {
  const puts: RecordChange[] = [];
  for (let from = 0; from < added.length; from += mostTogether) {
    const entries = added.slice(from, from + mostTogether);
    const key = logKey(logOf(thread), known.last + from + entries.length);
    puts.push({ type: 'put', key, value: toRecord(entries) });
  }
  return [...puts, ...draftChange(thread, known.draft, draft)];
}

/** Keys that a record of another writer behind a position may have: no record may be there. */
export function nextKeys(thread: RecordKey, last: number): readonly RecordKey[] {
  return Array.from({ length: mostTogether }, (_, index) => logKey(logOf(thread), last + index + 1));
}

function draftChange(
  thread: RecordKey,
  before: Message | undefined,
  draft: Message | undefined,
): readonly RecordChange[] {
  const key = draftKey(thread);
  if (draft === before) return [];
  return [draft === undefined ? { type: 'remove', key } : { type: 'put', key, value: toJson(draft) }];
}

/** Records the ids of messages added to the log. */
export function noteIds(ids: Map<string, boolean>, entries: readonly StoredEntry['entry'][]): void {
  for (const entry of entries) {
    if (entry.type !== 'message' && entry.type !== 'revision') continue;
    const { message } = entry;
    ids.set(message.id, isWholeMessage(message) || ids.get(message.id) === true);
  }
}

/** True if a message is complete. */
function isWholeMessage({ incomplete }: Message): boolean {
  return incomplete === undefined;
}
