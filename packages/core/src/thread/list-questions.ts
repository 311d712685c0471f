import { inParallel } from '../files/in-parallel.ts';
import type { CorruptRecord, StoredRecord } from '../records/content.ts';
import type { RecordStore } from '../records/records.ts';
import { isExpired, openQuestions } from './open-questions.ts';
import { openThread } from './open-thread.ts';
import type { Question } from './question.ts';
import { indexPrefix, listedIn, toListed } from './question-index.ts';
import type { WaitingQuestion } from './question-index.ts';

/**
 * Open questions of all threads, oldest first. Reads only threads that have any. Answer them with `answerQuestion`.
 *
 * @example
 * ```ts
 * import { createRecords, listQuestions } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * for (const { threadId, title } of await listQuestions(createRecords(memoryStorage()))) console.log(threadId, title);
 * ```
 */
export async function listQuestions(records: RecordStore, now = Date.now()): Promise<readonly WaitingQuestion[]> {
  async function waitingIn(record: StoredRecord | CorruptRecord): Promise<readonly WaitingQuestion[]> {
    const threadId = record.key.at(-1) ?? '';
    const thread = records.get(['threads', threadId]);
    if ((await thread.catch(() => 'unreadable')) === undefined) return []; // removed meanwhile
    const listed = 'problem' in record ? undefined : listedIn(record.value);
    const open = listed ?? (await readFrom(records, threadId, now));
    return open.filter((each) => !isExpired(each, now)).map((each) => ({ ...each, threadId }));
  }

  const waiting: WaitingQuestion[] = [];
  for await (const each of inParallel(records.list(indexPrefix), atOnce, waitingIn)) waiting.push(...each);
  return waiting.sort((a, b) => a.time - b.time);
}

/** Number of threads to read in parallel, so that a slow storage costs little more than one read. */
const atOnce = 64;

/** The index is derived from the threads: if it is damaged, they still have the questions. */
async function readFrom(
  records: RecordStore,
  threadId: string,
  now: number,
): Promise<readonly Omit<WaitingQuestion, 'threadId'>[]> {
  const open = await openQuestions(openThread(records, threadId), now).catch((): readonly Question[] => []);
  return open.map(toListed);
}
