import { createRecords, createRegistry } from '@utensil/core';
import type { RecordStore, Registry } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pageKeyStore } from '../key-store.ts';
import { openVault } from '../vault.ts';
import { openMcpServers } from './mcp-servers.ts';
import type { McpServers } from './mcp-servers.ts';

const urlOf = (name: string): string => `https://${name}.example/mcp`;
const stored = (...names: readonly string[]) => names.map((name) => ({ name, url: urlOf(name) }));
const key = ['mcp-servers'];

let servers: McpServers | undefined;
const names = (): readonly string[] => servers?.list().map(({ name }) => name) ?? [];

/** Opens the servers of a page over a storage, which another tab may use too. */
async function open(app: RecordStore, registry: Registry = createRegistry()): Promise<McpServers> {
  return (servers = await openMcpServers({ app, registry, vault: await openVault(app, pageKeyStore()) }));
}

/** A registry in which sources take their time to close, until `end` is called. */
function slowRegistry() {
  const registry = createRegistry();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const slow: Registry = {
    ...registry,
    mount(...given) {
      const mount = registry.mount(...given);
      return { ready: mount.ready, unmount: () => mount.unmount().then(() => ended) };
    },
  };
  return { registry: slow, end };
}

beforeEach(() => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.reject(new TypeError('There is no network here.')));
});
afterEach(async () => {
  for (const name of names()) await servers?.remove(name);
});

it('learns of a server that another tab adds while the list is opened', async () => {
  const app = createRecords(memoryStorage());
  await app.put(key, stored('one'));
  let isFirst = true;
  await open({
    ...app,
    async get(each) {
      const found = await app.get(each);
      if (each[0] === key[0] && isFirst) await app.put(key, stored('one', 'two'));
      isFirst &&= each[0] !== key[0];
      return found;
    },
  });
  await expect.poll(names).toEqual(['one', 'two']);
});

it('watches nothing if the list cannot be opened', async () => {
  const app = createRecords(memoryStorage());
  const watched = vi.fn<() => void>();
  const get = (): Promise<never> => Promise.reject(new Error('The disk is away.'));
  const vault = await openVault(app, pageKeyStore());
  const opening = openMcpServers({
    app: { ...app, get, watch: () => watched },
    registry: createRegistry(),
    vault,
  });
  await expect(opening).rejects.toThrow('away');
  expect(watched).toHaveBeenCalledOnce();
});

it('shows the list that was stored last, although an older one is read more slowly', async () => {
  const app = createRecords(memoryStorage());
  let isSlow = false;
  let goOn = (): void => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  await open({
    ...app,
    async get(each) {
      const found = await app.get(each);
      if (each[0] === key[0] && isSlow) {
        isSlow = false;
        await gate;
      }
      return found;
    },
  });
  isSlow = true;
  await app.put(key, stored('one'));
  await expect.poll(() => isSlow).toBe(false);
  await app.put(key, stored('one', 'two'));
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
  await settled();
  goOn();
  await settled();
  await expect.poll(names).toEqual(['one', 'two']);
});

it('keeps a server in its place while it is connected again, however often and however slowly it closes', async () => {
  const app = createRecords(memoryStorage());
  await app.put(key, stored('one', 'two'));
  const { registry, end } = slowRegistry();
  const { retry } = await open(app, registry);
  await expect.poll(() => servers?.list().map(({ state }) => state)).toEqual(['failed', 'failed']);
  for (const name of ['one', 'one', 'gone']) retry(name);
  expect(names()).toEqual(['one', 'two']);
  await app.put(key, stored('one', 'two', 'three')); // the list is read meanwhile
  await expect.poll(names).toEqual(['one', 'two', 'three']);
  end();
});

it('removes a server while it is connected again', async () => {
  const app = createRecords(memoryStorage());
  await app.put(key, stored('one', 'two'));
  const { registry, end } = slowRegistry();
  const { retry, remove } = await open(app, registry);
  retry('one');
  const removing = remove('one');
  retry('one');
  await expect.poll(async () => (await app.get(key))?.value).toEqual(stored('two'));
  end();
  await removing;
  expect(names()).toEqual(['two']);
});
