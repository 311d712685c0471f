import type { StorageChange, StorageDriver } from '@utensil/core/storage';
import { createFiles } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { httpStorage } from './http.ts';
import { bearerTokens, serveStorage } from './server.ts';

it('hands on which file a copy is like, and nothing else of it', async () => {
  const storage = memoryStorage();
  const made: StorageChange[] = [];
  const recorded: StorageDriver = {
    ...storage,
    commit(commit) {
      made.push(...commit.changes);
      return storage.commit(commit);
    },
  };
  const token = 'the-token-of-the-writer';
  const handle = serveStorage(recorded, { authorize: bearerTokens([{ token, canWrite: true }]) });
  const driver = httpStorage({
    url: 'https://example.com',
    token,
    fetch: (...request: Parameters<typeof fetch>) => handle(new Request(...request)),
  });
  const files = createFiles(driver);
  await files.write('/run.sh', 'go');
  await files.copy('/run.sh', '/copy.sh');
  const like = { tree: 'files', path: '/run.sh' } as const;
  const other = { ...like, content: new Uint8Array(9), secret: 'of the host' };
  const copy = { type: 'write', tree: 'files', path: '/other.sh', content: new Uint8Array(1), like: other } as const;
  expect(await driver.commit({ expect: [], changes: [copy], time: 0 })).toMatchObject({ ok: true });
  expect(made.map((change) => ('like' in change ? change.like : undefined))).toEqual([undefined, like, like]);
});
