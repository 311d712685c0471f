import { createRecords } from '@utensil/core';
import type { RecordStore } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { pageKeyStore } from './key-store.ts';
import { openVault } from './vault.ts';
import type { Vault } from './vault.ts';

/** A storage that writes as slowly as a disk. */
function slowStorage(): StorageDriver {
  const storage = memoryStorage();
  return {
    ...storage,
    async commit(commit) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return storage.commit(commit);
    },
  };
}

/** Tabs of a browser. One without reported changes stands for one in which they have not arrived yet. */
function browser({ tellsChanges = true } = {}) {
  const storage = slowStorage();
  const keys = pageKeyStore();
  const silent = { watch: () => () => undefined };
  const records = (): RecordStore => ({ ...createRecords(storage), ...(!tellsChanges && silent) });
  return { storage, records, open: (app = records()): Promise<Vault> => openVault(app, keys) };
}

/** The secrets in their order. */
async function allOf(vault: Vault): Promise<readonly string[]> {
  const secrets = await Promise.all(vault.names().map((name) => vault.get(name)));
  return secrets.map(String).toSorted();
}

it.each([
  ['one tab', 1],
  ['two tabs', 2],
])('keeps all secrets that are saved and removed at the same time in %s', async (_, count) => {
  const { open } = browser();
  const tabs = await Promise.all(Array.from({ length: count }, () => open()));
  const tab = (index: number): Vault => tabs[index % count] as Vault;
  await tab(0).set('old', 'gone');
  const names = Array.from({ length: 8 }, (__, index) => `key-${index}`);
  await Promise.all([...names.map((name, index) => tab(index).set(name, name)), tab(1).remove('old')]);
  const after = await open();
  expect(after.names().toSorted()).toEqual(names);
  expect(await allOf(after)).toEqual(names);
});

it('tells of damage that is noticed while it is open', async () => {
  const { storage, open } = browser();
  const vault = await open();
  await vault.set('first', '1');
  const told = new Promise<void>((resolve) => {
    vault.subscribe(() => vault.problem !== undefined && resolve());
  });
  const half = {
    type: 'write',
    tree: 'records',
    path: '/vault.json',
    content: new TextEncoder().encode('{"half'),
  } as const;
  await storage.commit({ expect: [], changes: [half], time: 1 });
  await told;
  expect([vault.names(), await (await open()).get('first')]).toEqual([['first'], undefined]);
});

it.each([
  ['the same tab', true],
  ['another tab', false],
])('keeps each secret that is saved while a passphrase is set, in %s', async (_, isSame) => {
  const { open } = browser();
  const one = await open();
  const other = isSame ? one : await open();
  await one.set('first', 'first');
  const protecting = one.protect('correct horse');
  const saved = ['first'];
  const saving: Promise<unknown>[] = [];
  for (let count = 0; count < 40; count++) {
    const name = `key-${count}`;
    saving.push(
      other.set(name, name).then(
        () => saved.push(name),
        () => undefined, // locked by now
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all([protecting, ...saving]);
  expect([one.isLocked, one.protection]).toEqual([false, 'passphrase']);
  const after = await open();
  await after.unlock('correct horse');
  expect(await allOf(after)).toEqual(saved.toSorted());
});

it('saves nothing that the passphrase does not open, if another tab has set it for an empty vault', async () => {
  const { open } = browser();
  const [one, other] = [await open(), await open()];
  await one.protect('correct horse');
  await expect(other.set('first', '1')).rejects.toThrow('locked');
  await other.unlock('correct horse');
  await other.set('first', '1');
  expect(await one.get('first')).toBe('1');
});

it('gives what another tab has saved last, even if no change was reported yet', async () => {
  const { open } = browser({ tellsChanges: false });
  const [one, other] = [await open(), await open()];
  await one.set('token', 'first');
  expect(await other.get('token')).toBe('first');
  await other.set('token', 'second');
  expect(await one.get('token')).toBe('second');
  await one.remove('token');
  expect(await other.get('token')).toBeUndefined();
});

it('learns of a change that is made while it is opened', async () => {
  const { open, records } = browser();
  const other = await open();
  const app = records();
  let isFirst = true;
  const opening = open({
    ...app,
    async get(key) {
      const found = await app.get(key);
      if (isFirst) await other.set('late', '1');
      isFirst = false;
      return found;
    },
  });
  const vault = await opening;
  await expect.poll(() => vault.names()).toEqual(['late']);
});

it('tells nobody about a look at what is unchanged', async () => {
  const { open } = browser();
  const vault = await open();
  await vault.set('key', '1');
  let told = 0;
  vault.subscribe(() => told++);
  expect([await vault.get('key'), await vault.get('other')]).toEqual(['1', undefined]);
  expect(told).toBe(0);
});
