import { UtensilError } from '../base/errors.ts';
import { toJson } from '../base/json.ts';
import type { Message } from '../model/message.ts';
import { logKey } from '../files/record-key.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { RecordChange } from '../records/commit.ts';
import type { StoredEntry, ThreadEntry } from './entry.ts';
import { toStored } from './entry-shape.ts';

/** What an instance of a thread knows of its log. */
export interface KnownLog {
  /** Position of the last entry. */
  readonly last: number;
  /** Ids of its messages. */
  readonly ids: ReadonlySet<string>;
  readonly draft: Message | undefined;
}

/** What an append comes to. */
export interface AppendPlan {
  /** Entries that the log gets. */
  readonly added: readonly StoredEntry['entry'][];
  /** The draft from then on. */
  readonly draft: Message | undefined;
  readonly changes: readonly RecordChange[];
}

/** The keys of a thread's log and of its draft. */
export const logOf = (thread: RecordKey): RecordKey => [...thread, 'messages'];
export const draftKey = (thread: RecordKey): RecordKey => [...thread, 'draft'];

/** Plans an append after what is known of the log. Throws `entry_exists`. */
export function planAppend(thread: RecordKey, entries: readonly ThreadEntry[], known: KnownLog): AppendPlan {
  const added: StoredEntry['entry'][] = [];
  const ids = new Set<string>();
  let { draft } = known;

  function addMessage(message: Message): void {
    if (known.ids.has(message.id) || ids.has(message.id)) throw exists(thread, message.id);
    ids.add(message.id);
    added.push({ type: 'message', message });
  }

  for (const entry of entries) {
    if (entry.type === 'draft') {
      draft = known.ids.has(entry.message.id) || ids.has(entry.message.id) ? draft : entry.message;
      continue;
    }
    if (entry.type !== 'message') {
      added.push(entry);
      continue;
    }
    if (draft !== undefined && draft.id !== entry.message.id) addMessage(draft);
    draft = undefined;
    addMessage(entry.message);
  }

  const puts = added.map(
    (entry, index) => ({ type: 'put', key: logKey(logOf(thread), known.last + index + 1), value: toStored(entry) }) as const,
  );
  return { added, draft, changes: [...puts, ...draftChange(thread, known.draft, draft)] };
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

function exists(thread: RecordKey, id: string): UtensilError {
  const message = `entry_exists: the thread '${thread.at(-1) ?? ''}' has a message with the id '${id}'. Nothing was stored.`;
  return new UtensilError('entry_exists', message);
}
