import type { RecordKey, RecordStore } from '@utensil/core';

/** Key of the note that a person stopped a conversation: below the thread's key, so that both are removed together. */
function keyOf(conversation: string): RecordKey {
  return ['threads', conversation, 'stopped'];
}

/** Records that a person stopped the answer that ends with a message. */
export async function markStopped(records: RecordStore, conversation: string, messageId: string): Promise<void> {
  await records.put(keyOf(conversation), messageId);
}

/** Last message of the answer that was stopped last; undefined if there is none, or it cannot be read. */
export async function stoppedAt(records: RecordStore, conversation: string): Promise<string | undefined> {
  const record = await records.get(keyOf(conversation)).catch(() => undefined);
  return typeof record?.value === 'string' ? record.value : undefined;
}
