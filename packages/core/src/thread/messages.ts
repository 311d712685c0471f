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
  return attachedIn(await thread.read());
}

/**
 * The same, for conversations. In a thread with gaps, a child of a lost message is attached to the message before the last
 * gap before it; otherwise everything before the loss would leave its conversation.
 */
export function attachedIn(page: Pick<ThreadPage, 'entries' | 'draft' | 'lost'>): readonly Message[] {
  const messages = messagesIn(page);
  const { entries, lost = [] } = page;
  if (lost.length === 0) return messages;
  const placed = entries.flatMap(({ position, entry }) =>
    entry.type === 'message' ? { position, id: entry.message.id } : [],
  );
  const positions = new Map(placed.map(({ id, position }) => [id, position]));
  const ids = new Set(messages.map(({ id }) => id)); // of some, only a later form may be left
  return messages.map((message) => {
    const { id, parentId } = message;
    if (parentId === undefined || parentId === null || ids.has(parentId)) return message;
    const gap = lost.findLast((position) => position <= (positions.get(id) ?? Infinity));
    if (gap === undefined) return message;
    return { ...message, parentId: placed.findLast(({ position }) => position < gap)?.id ?? null };
  });
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
