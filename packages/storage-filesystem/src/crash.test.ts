// A crash is simulated by a disk that stops working after some change; the remains are then opened again.

import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageChange, EntryKey, StorageDriver } from '@utensil/core/storage';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { dyingAfter } from './test-kit/crash.ts';
import type { FileSystem } from './file-system.ts';
import { filesystemStorage } from './filesystem.ts';

let place: string;
beforeEach(async () => {
  place = await fs.mkdtemp(join(tmpdir(), 'utensil-'));
});
afterEach(() => fs.rm(place, { recursive: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const at = (path: string, tree: StorageChange['tree'] = 'files') => ({ tree, path });
const write = (path: string, text: string, tree?: StorageChange['tree']): StorageChange => ({
  ...at(path, tree),
  type: 'write',
  content: bytes(text),
});

const makeDirectory = (path: string, tree?: StorageChange['tree']): StorageChange => ({
  ...at(path, tree),
  type: 'make-directory',
});
const remove = (path: string, recursive = false): StorageChange => ({ ...at(path), type: 'remove', recursive });
const move = (path: string, to: EntryKey): StorageChange => ({ ...at(path), type: 'move', to });

const first: readonly StorageChange[] = [
  write('/kept', 'old'),
  write('/removed', 'here'),
  makeDirectory('/d'),
  makeDirectory('/empty'),
  makeDirectory('/full'),
  makeDirectory('/full/deep'),
  write('/full/deep/leaf', 'leaf'),
  write('/d/inside', 'along'),
  write('/record', '1', 'records'),
  makeDirectory('/versions', 'records'),
];
/** Every kind of change, in both trees, and several on one path. */
const second: readonly StorageChange[] = [
  write('/kept', 'new and longer'),
  remove('/removed'),
  remove('/empty'),
  makeDirectory('/made'),
  write('/made/new', 'new'),
  move('/d', at('/made/d')),
  write('/made/d/inside', 'changed'),
  write('/record', '2', 'records'),
  move('/kept', at('/versions/kept', 'records')),
  write('/kept', 'newer still'),
  remove('/full', true),
  write('/full', 'a file now'),
  move('/full', at('/versions/full', 'records')),
  makeDirectory('/full'),
  write('/full/deep', 'a file too'),
];

async function contentOf(driver: StorageDriver): Promise<string> {
  const lines: string[] = [];
  for (const tree of ['files', 'records'] as const) {
    for (const entry of await driver.list({ ...at('/', tree), depth: 9, limit: 99 })) {
      const found = await driver.read(entry);
      lines.push(`${tree} ${entry.path} ${found === undefined ? '' : new TextDecoder().decode(found.content)}`);
    }
  }
  return lines.join('\n');
}

/** Opens the remains of a dead process, whose lock is still there. */
async function reopen(root: string, disk: FileSystem = fs): Promise<StorageDriver> {
  const lock = join(root, '.utensil/lock');
  for (const note of await fs.readdir(lock)) await fs.unlink(join(lock, note));
  return filesystemStorage(root, { fs: disk });
}

let template: string;

beforeEach(async () => {
  template = join(place, 'template');
  await filesystemStorage(template).commit({ expect: [], changes: first, time: 0 });
});

async function newRoot(): Promise<string> {
  const root = await fs.mkdtemp(join(place, 'root-'));
  await fs.cp(template, root, { recursive: true, verbatimSymlinks: true });
  return root;
}

/** Commits on a dying disk. Returns whether the commit was acknowledged. */
async function commitOn(root: string, disk: FileSystem, changes = second): Promise<boolean> {
  const committing = filesystemStorage(root, { fs: disk }).commit({ expect: [], changes, time: 0 });
  return committing.then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The contents without a commit, and with it. */
async function outcomesOf(changes: readonly StorageChange[]): Promise<readonly [string, string]> {
  const driver = filesystemStorage(await newRoot());
  const before = await contentOf(driver);
  expect(await driver.commit({ expect: [], changes, time: 0 })).toMatchObject({ ok: true });
  return [before, await contentOf(driver)];
}

/** Every change of the disk in `pnpm test:long`, otherwise every third. */
const stride = inject('isLong') ? 1 : 3;

describe('a process that ends in the middle of a commit', () => {
  it.each([
    ['of everything', second, 40],
    ['that keeps a version', [move('/kept', at('/versions/1', 'records')), write('/kept', 'new')], 15],
    ['that keeps a version of a directory', [move('/d', at('/versions/1', 'records')), write('/d', 'new')], 15],
    ['that moves to the other tree', [move('/d', at('/versions/d', 'records'))], 8],
    ['that removes a directory', [remove('/full', true)], 8],
    ['of one file', [write('/kept', 'new')], 8],
  ])('leaves all of it or nothing, at whatever change of the disk it ends: one %s', async (_, changes, least) => {
    const [before, after] = await outcomesOf(changes);
    const outcomes: string[] = [];
    for (let changesOfDisk = 0; changesOfDisk < 1000; changesOfDisk += stride) {
      const root = await newRoot();
      const { disk, isDead } = dyingAfter(changesOfDisk);
      const isAcknowledged = await commitOn(root, disk, changes);
      const content = await contentOf(await reopen(root));
      expect(isAcknowledged ? [after] : [before, after], `after ${changesOfDisk} changes of the disk`).toContain(
        content,
      );
      outcomes.push(content === before ? 'before' : 'after');
      await fs.rm(root, { recursive: true });
      if (!isDead()) break;
    }
    expect(outcomes.lastIndexOf('before')).toBe(outcomes.indexOf('after') - 1);
    expect(outcomes.indexOf('after') * stride).toBeGreaterThan(least);
  });

  it('leaves nothing of it even if the one that takes it back ends too', async () => {
    const outcomes = await outcomesOf(second);
    let interrupted = 0;
    for (let changes = 30; changes < 53; changes += 6) {
      for (let recovery = 1 + ((changes / 6) % 3); recovery < 1000; recovery += inject('isLong') ? 1 : 6) {
        const root = await newRoot();
        await commitOn(root, dyingAfter(changes).disk);
        const { disk, isDead } = dyingAfter(recovery);
        await contentOf(await reopen(root, disk)).catch(() => interrupted++);
        const content = await contentOf(await reopen(root));
        expect(outcomes, `after ${changes} and ${recovery} changes`).toContain(content);
        await fs.rm(root, { recursive: true });
        if (!isDead()) break;
      }
    }
    expect(interrupted).toBeGreaterThan(15);
  });

  it('lets others commit afterwards', async () => {
    const [, after] = await outcomesOf(second);
    const root = await newRoot();
    await commitOn(root, dyingAfter(45).disk);
    expect(await fs.readlink(join(root, '.utensil/state'))).toMatch(/^active /);
    const driver = await reopen(root);
    expect((await driver.commit({ expect: [], changes: second, time: 0 })).ok).toBe(true);
    expect(await contentOf(driver)).toBe(after);
  });
});
