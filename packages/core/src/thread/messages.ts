import type { Message } from '../model/message.ts';
import type { Thread, ThreadPage } from './thread.ts';

/**
 * All messages of a thread, oldest first: each in its latest form, and the current draft.
 *
 * @example
 * ```ts
 * import { createRecords, messagesOf, openThread } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const thread = openThread(createRecords(memoryStorage()), 'first');
 * const messages = await messagesOf(thread); // []
 * ```
 */
export async function messagesOf(thread: Pick<Thread, 'read'>): Promise<readonly Message[]> {
  return messagesIn(await thread.read());
}

/** Reads the messages of a whole thread. */
export function messagesIn({ entries, draft }: Pick<ThreadPage, 'entries' | 'draft'>): readonly Message[] {
  const byId = new Map<string, Message>();
  for (const { entry } of entries) {
    if (entry.type === 'message' || entry.type === 'revision') byId.set(entry.message.id, entry.message);
  }
  if (draft !== undefined && !byId.has(draft.id)) byId.set(draft.id, draft);
  return [...byId.values()];
}
