// Two containers that share a directory, where neither can check the other's process.

import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageChange, StorageCommitResult } from '@utensil/core/storage';
import { createFiles } from '@utensil/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { commitChanges } from './commit.ts';
import { createDisk } from './create-disk.ts';
import type { Disk } from './disk.ts';
import type { FileSystem } from './file-system.ts';
import { filesystemStorage } from './filesystem.ts';
import { gate } from './test-kit/gate.ts';
import { makeHome } from './home.ts';
import { createLock } from './lock.ts';
import type { Lock } from './lock.ts';

const timeoutMs = 400;

let root: string;
beforeEach(async () => {
  root = await fs.mkdtemp(join(tmpdir(), 'utensil-'));
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => ++now); // only looking at it takes time, so a slow machine takes none
});
afterEach(async () => {
  vi.restoreAllMocks();
  await fs.rm(root, { recursive: true });
});

/** A disk and its lock in a container. */
function container(name: string, over: FileSystem = fs): { readonly disk: Disk; readonly lock: Lock } {
  const disk = { ...createDisk(over, { root, syncs: false }), owner: async () => `${name}-1-1` };
  return { disk, lock: createLock(disk, timeoutMs) };
}

function commit(place: ReturnType<typeof container>, changes: readonly StorageChange[]): Promise<StorageCommitResult> {
  return commitChanges(
    { ...place, ready: () => makeHome(place.disk), tell: () => {} },
    { expect: [], changes, time: 0 },
  );
}

const write = (path: string, text: string): StorageChange => ({
  ...{ tree: 'files', path, type: 'write' },
  content: Buffer.from(text),
});

describe('a holder in another container', () => {
  it('keeps the lock for as long as it works', async () => {
    let [looks, lookup] = [0, gate()];
    const refused = new AbortController();
    const readdir: FileSystem['readdir'] = (path, options) => {
      looks++;
      lookup.open();
      lookup = gate();
      return fs.readdir(path, options);
    };
    const [one, two] = [container('one'), container('two', { ...fs, readdir })];
    await makeHome(one.disk);
    const begun = gate();
    const held = one.lock(async ({ renew, isLost }) => {
      begun.open();
      while (!refused.signal.aborted) {
        await lookup.opened;
        await renew();
      }
      return isLost();
    });
    await begun.opened;
    await expect(two.lock(async () => {})).rejects.toMatchObject({ code: 'EBUSY' });
    refused.abort();
    lookup.open();
    expect(looks).toBeGreaterThan(50);
    expect(await held).toBe(false);
    expect(await two.lock(async () => 'next')).toBe('next');
    expect(await fs.readdir(one.disk.places.lock)).toEqual([]);
  });

  it('that was stopped for too long finds out that the lock is taken', async () => {
    const [one, two] = [container('one'), container('two')];
    await makeHome(one.disk);
    const [begun, taken, renewed] = [gate(), gate(), gate()];
    const held = one.lock(async ({ renew }) => {
      begun.open();
      await taken.opened;
      await renew();
    });
    await begun.opened;
    const takes = two.lock(async ({ renew }) => {
      taken.open();
      await renewed.opened;
      await renew();
      return 'taken';
    });
    await expect(held).rejects.toMatchObject({ code: 'EBUSY', retryable: true });
    renewed.open();
    expect(await takes).toBe('taken');
    expect(await fs.readdir(one.disk.places.lock)).toEqual([]);
    expect(await one.lock(async () => 'again')).toBe('again');
  });

  it('that was stopped in the middle of a batch changes nothing of what the other one has done', async () => {
    const plain = createFiles(filesystemStorage(root));
    await plain.write('/a', 'a');
    await plain.write('/b', 'b');
    const [begun, taken] = [gate(), gate()];
    const rename: typeof fs.rename = async (from, to) => {
      await fs.rename(from, to);
      if (!String(to).endsWith('/a')) return;
      begun.open();
      await taken.opened;
    };
    const stopped = commit(container('one', { ...fs, rename }), [
      write('/a', 'one'),
      write('/b', 'one'),
      write('/c', 'one'),
    ]);
    await begun.opened;
    expect(await commit(container('two'), [write('/b', 'two'), write('/d', 'two')])).toMatchObject({ ok: true });
    taken.open();
    await expect(stopped).rejects.toMatchObject({ code: 'EBUSY' });
    const texts: Record<string, string> = {};
    for (const { path } of (await plain.list('/')).entries) texts[path] = (await plain.readText(path)).text;
    expect(texts).toEqual({ '/a': 'a', '/b': 'two', '/d': 'two' });
    expect(await fs.readlink(join(root, '.utensil/state'))).toMatch(/^idle /);
    expect(await fs.readdir(join(root, '.utensil/tmp'))).toEqual([]);
    expect(await fs.readdir(join(root, '.utensil/lock'))).toEqual([]);
  });
});
