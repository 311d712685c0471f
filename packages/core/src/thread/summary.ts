import type { Json } from '../base/json.ts';
import { hasShape, isNumber, isText } from '../base/shape.ts';
import { textOf } from '../model/message.ts';
import type { Message } from '../model/message.ts';
import type { RecordStore } from '../records/records.ts';
import { indexKey } from './question-index.ts';

/** An entry in the list of threads. */
export interface ThreadSummary {
  readonly id: string;
  /** Beginning of its first message. */
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Maximum length of a title. */
const titleLength = 60;

/** Summary of a thread that begins with this message. */
export function summaryOf(id: string, { parts, createdAt }: Message): ThreadSummary {
  const title = [...textOf(parts).replaceAll(/\s+/g, ' ').trim()].slice(0, titleLength).join('') || 'Untitled';
  return { id, title, createdAt };
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

/** Removes a thread and everything that belongs to it. A run that is active on it stops at its next append. */
export async function deleteThread(records: RecordStore, id: string): Promise<void> {
  const thread = ['threads', id];
  await records.commit([
    { type: 'remove', key: thread, recursive: true },
    { type: 'remove', key: indexKey(thread), recursive: true },
  ]);
}

/** A summary as it is stored: other members are kept. */
export type StoredSummary = ThreadSummary & { readonly [key: string]: Json };

/** True if a value is a summary, not a damaged one. */
export function isSummary(value: Json | undefined): value is StoredSummary {
  return hasShape(value, { id: isText, title: isText, createdAt: isNumber });
}
