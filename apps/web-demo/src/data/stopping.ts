import type { RecordKey, RecordStore } from '@utensil/core';

/** Where it is stored that a person stopped a conversation: with its messages, so that it goes when they go. */
function keyOf(conversation: string): RecordKey {
  return ['threads', conversation, 'stopped'];
}

/** Stores that a person stopped the answer that ends with a message. */
export async function markStopped(records: RecordStore, conversation: string, messageId: string): Promise<void> {
  await records.put(keyOf(conversation), messageId);
}

/** The last message of the answer that was stopped last; undefined if none was, or it cannot be read. */
export async function stoppedAt(records: RecordStore, conversation: string): Promise<string | undefined> {
  const record = await records.get(keyOf(conversation)).catch(() => undefined);
  return typeof record?.value === 'string' ? record.value : undefined;
}
