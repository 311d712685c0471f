// The client as a page has it, with the fetch of a real browser; the server is in the same page, behind its streams.

import { createFiles } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { recordSuite, storageSuite } from '@utensil/core/testing';
import type { StorageBackend } from '@utensil/core/testing';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { afterEach, describe, expect, it, test } from 'vitest';
import { sampled } from '../../../tooling/sampled.ts';
import { httpStorage } from './http.ts';
import { bearerTokens, serveStorage } from './server.ts';

const token = 'the-token-of-the-writer';
const authorize = bearerTokens([{ token, namespaces: 'all', canWrite: true, records: true }]);

const drivers: StorageDriver[] = [];
afterEach(async () => {
  await Promise.all(drivers.splice(0).map((driver) => driver.close()));
});

/** Opens storages on one server, which is reached by its `Request`s and `Response`s alone. */
function serve() {
  const state = memoryState();
  const handle = serveStorage((namespace) => memoryStorage({ state, namespace }), { authorize });
  return (namespace = ''): StorageDriver => {
    const driver = httpStorage({
      url: 'https://example.com/storage',
      token,
      namespace,
      fetch: (url, init) => handle(new Request(url, init)),
    });
    drivers.push(driver);
    return driver;
  };
}

describe('httpStorage in a browser', () => {
  const make = (): StorageBackend => {
    const open = serve();
    return { open: async (namespace) => open(namespace), destroy: async () => {} };
  };
  // Node.js runs all of both.
  storageSuite({ test: sampled(test) }, make);
  recordSuite({ test: sampled(test) }, make);

  it('carries 50 MB, and tells what others change', async () => {
    const open = serve();
    const [driver, other] = [open(), open()];
    const told: string[] = [];
    driver.watch((changed) => told.push(...changed.map(({ path }) => path)));
    await expect.poll(() => told).toEqual(['/', '/']);
    const content = new Uint8Array(50 * 1024 * 1024 + 1);
    for (let at = 0; at < content.length; at++) content[at] = (at * 31) % 251;
    await createFiles(other, { maxFileBytes: 2 ** 30 }).write('/large', content);
    await expect.poll(() => told.slice(2)).toEqual(['/large']);
    const found = await driver.read({ tree: 'files', path: '/large' });
    expect(found?.content.length === content.length && content.every((byte, at) => found.content[at] === byte)).toBe(
      true,
    );
  });
});
