// Runs in a page: writes a conversation of any length into what the app has stored, in a few commits.

import { createRecords, openThread } from '@utensil/core';
import type { Json, Message, RecordKey } from '@utensil/core';
import type { StorageChange } from '@utensil/core/storage';
import { indexeddbStorage } from '@utensil/storage-indexeddb';

declare global {
  /** Stores a conversation in the first project. */
  function seedThread(id: string, messages: readonly Message[]): Promise<void>;
  /** Stores a record of the app itself. */
  function seedRecord(key: RecordKey, value: Json): Promise<void>;
}

const tree = 'records';

globalThis.seedThread = async (id, [first, ...rest]) => {
  const storage = indexeddbStorage({ database: 'utensil-web-demo', namespace: 'project-first' });
  if (first === undefined) throw new Error('A conversation begins with a message.');
  await openThread(createRecords(storage), id).append([{ type: 'message', message: first }]);
  const writes = rest.map((message, index): StorageChange => {
    const path = `/threads/${id}/messages/${String(index + 2).padStart(12, '0')}.json`;
    return { type: 'write', tree, path, content: new TextEncoder().encode(JSON.stringify(message)) };
  });
  for (let at = 0; at < writes.length; at += 1000) {
    const result = await storage.commit({ expect: [], changes: writes.slice(at, at + 1000), time: Date.now() });
    if (!result.ok) throw new Error(`${result.conflict.path} is in the way.`);
  }
  await storage.close();
};

globalThis.seedRecord = async (key, value) => {
  const storage = indexeddbStorage({ database: 'utensil-web-demo', namespace: 'app' });
  await createRecords(storage).put(key, value);
  await storage.close();
};
