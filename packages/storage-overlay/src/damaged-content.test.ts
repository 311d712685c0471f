// The lower or the upper storage reports damaged contents.

import { createFiles, createRecords } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { EntryKey, StorageDriver } from '@utensil/core/storage';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { overlayStorage } from './overlay.ts';

const lost = 'lost';

/** A memory storage in which every content of this text is damaged. */
function damageable(): StorageDriver {
  const memory = memoryStorage();
  return {
    ...memory,
    async read(key, range) {
      const whole = await memory.read(key);
      if (whole && new TextDecoder().decode(whole.content) === lost) throw fileError('content_damaged', key.path);
      return memory.read(key, range);
    },
  };
}

async function harm(driver: StorageDriver, { tree, path }: EntryKey): Promise<void> {
  const content = new TextEncoder().encode(lost);
  const { ok } = await driver.commit({ expect: [], changes: [{ type: 'write', tree, path, content }], time: 1 });
  expect(ok).toBe(true);
}

async function listed(driver: StorageDriver): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const each of createRecords(driver).list(['log']))
    found.push('problem' in each ? each.problem.code : each.value);
  return found;
}

it.each(['lower', 'upper'] as const)('in the %s storage affects no other file', async (layer) => {
  const layers = { lower: damageable(), upper: damageable() };
  const overlay = overlayStorage(layers.lower, layers.upper);
  const [files, records] = [createFiles(overlay), createRecords(overlay)];
  const first = layer === 'lower' ? layers.lower : overlay;
  await createFiles(first).write('/d/a', 'a');
  for (const path of ['/d/bad', '/d/worse']) await createFiles(first).write(path, 'good');
  for (const id of ['a', 'b', 'c']) await createRecords(first).put(['log', id], id);
  for (const path of ['/d/bad', '/d/worse']) await harm(layers[layer], { tree: 'files', path });
  await harm(layers[layer], { tree: 'records', path: '/log/b.json' });

  expect((await files.list('/d')).entries).toHaveLength(3);
  expect((await files.readText('/d/a')).text).toBe('a');
  await expect(files.read('/d/bad')).rejects.toMatchObject({ code: 'content_damaged', path: '/d/bad' });
  expect(await listed(overlay)).toEqual(['a', 'record_corrupt', 'c']);
  await expect(records.put(['log', 'b'], 'new')).rejects.toMatchObject({ code: 'record_corrupt' });
  await files.write('/d/bad', 'good');
  await files.remove('/d/worse');
  expect((await files.readText('/d/bad')).text).toBe('good');
  await records.remove(['log', 'b']);
  await records.put(['log', 'b'], 'new');
  expect(await listed(overlay)).toEqual(['a', 'new', 'c']);
  expect(await overlay.accept({ time: 2 })).toMatchObject({ ok: true });
  expect(await listed(layers.lower)).toEqual(['a', 'new', 'c']);
});

it('in the upper storage is set aside', async () => {
  const upper = damageable();
  const overlay = overlayStorage(memoryStorage(), upper);
  const records = createRecords(overlay);
  await records.put(['log', 'b'], 'b');
  await harm(upper, { tree: 'records', path: '/log/b.json' });
  expect(await records.setAside(['log', 'b'])).toContain('corrupt');
  await records.put(['log', 'b'], 'new');
  expect(await listed(overlay)).toEqual(['new']);
});

it('in the lower storage cannot be copied: the move fails, and nothing changes', async () => {
  const lower = damageable();
  const overlay = overlayStorage(lower, memoryStorage());
  const [files, records] = [createFiles(overlay), createRecords(overlay)];
  await createFiles(lower).write('/d/bad', 'good');
  await createRecords(lower).put(['log', 'b'], 'b');
  await harm(lower, { tree: 'files', path: '/d/bad' });
  await harm(lower, { tree: 'records', path: '/log/b.json' });
  await expect(files.move('/d', '/e')).rejects.toMatchObject({ code: 'content_damaged', path: '/d/bad' });
  await expect(records.setAside(['log', 'b'])).rejects.toMatchObject({ code: 'content_damaged' });
  expect((await overlay.changes()).changes).toEqual([]);
  expect(await listed(overlay)).toEqual(['record_corrupt']);
});

it('in a record of the overlay leaves the rest accessible', async () => {
  const [lower, upper] = [memoryStorage(), damageable()];
  await createFiles(lower).write('/gone', 'x');
  const files = createFiles(overlayStorage(lower, upper));
  await files.remove('/gone');
  await files.write('/a', 'a');
  await harm(upper, { tree: 'records', path: '/.overlay/version' });
  const overlay = overlayStorage(lower, upper);
  const again = createFiles(overlay);
  expect((await again.list('/')).entries.map(({ path }) => path)).toEqual(['/a']);
  await again.write('/b', 'b');
  expect((await files.readText('/b')).text).toBe('b');
  expect(await overlay.accept({ time: 2 })).toMatchObject({ ok: true });
  expect((await createFiles(lower).list('/')).entries.map(({ path }) => path)).toEqual(['/a', '/b']);
});
