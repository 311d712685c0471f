// Attacks by someone who has the storage but not the key, and the reported errors.

import { createFiles, createRecords, messageOf } from '@utensil/core';
import type { Files } from '@utensil/core';
import type { EntryKey, StorageDriver } from '@utensil/core/storage';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { beforeEach, describe, expect, it } from 'vitest';
import { chunkBytes, headBytes, offsetOf } from './content.ts';
import { encryptedStorage } from './encrypted.ts';
import { headerKeys } from './header.ts';

const key = new Uint8Array(32).fill(7);
const trees = ['files', 'records'] as const;

let inner: StorageDriver;
let driver: StorageDriver;
let files: Files;

beforeEach(async () => {
  const state = memoryState();
  inner = memoryStorage({ state });
  driver = encryptedStorage(memoryStorage({ state }), key);
  files = createFiles(driver);
  await files.write('/notes/canary-name.md', 'canary content '.repeat(10));
  await files.write('/notes/other.md', 'of another');
  await createRecords(driver).put(['canary-record'], { canary: true });
});

/** All stored entries. */
async function stored(from = inner): Promise<readonly EntryKey[]> {
  const query = { path: '/', depth: 99, limit: 10_000 };
  return (await Promise.all(trees.map((tree) => from.list({ tree, ...query })))).flat();
}

async function snapshot(): Promise<unknown> {
  const keys = await stored();
  return Promise.all(keys.map(async (each) => [each.path, (await inner.read(each))?.content.join()]));
}

async function overwrite({ tree, path }: EntryKey, content: Uint8Array): Promise<void> {
  const { ok } = await inner.commit({ expect: [], changes: [{ type: 'write', tree, path, content }], time: 1 });
  expect(ok).toBe(true);
}

/** Key of the content with a given plain size. */
async function storedWithSize(size: number): Promise<EntryKey> {
  const found = await inner.list({ tree: 'files', path: '/', depth: 99, limit: 99 });
  const [match] = found.filter((entry) => entry.size === size);
  if (match === undefined) throw new Error('There is no such content.');
  return match;
}

const canarySize = headBytes + 150 + 16;
const otherSize = headBytes + 10 + 16;

const failureOf = async (call: Promise<unknown>): Promise<string> => call.then(() => 'nothing', messageOf);

const damaged = (path: string): string =>
  `content_damaged: the content is damaged, '${path}'. The stored content was altered, truncated or written with another key: replace it with a copy, or remove it.`;

describe('what is stored', () => {
  it('has no name and no content that anybody can read', async () => {
    await files.write(`/canary-directory/${'canary'.repeat(40)}`, 'canary');
    await files.move('/notes/canary-name.md', '/notes/CANARY-name.md');
    for (const each of await stored()) {
      const found = await inner.read(each);
      const text = `${each.path} ${Buffer.from(found?.content ?? []).toString('latin1')}`;
      expect(text.toLowerCase()).not.toMatch(/canary|note|other/);
    }
  });

  it('has readable names, and no readable content, where the policy is plain', async () => {
    const plain = memoryStorage();
    const opened = createFiles(encryptedStorage(plain, key, { names: 'plain' }));
    await opened.write('/notes/canary-name.md', 'canary content');
    const found = await stored(plain);
    expect(found.map(({ path }) => path)).toEqual([
      '/notes',
      '/notes/canary-name.md',
      '/.encryption',
      '/.encryption-copy',
    ]);
    for (const each of found) {
      expect(Buffer.from((await plain.read(each))?.content ?? []).toString('latin1')).not.toContain('canary');
    }
    expect((await encryptedStorage(plain, key).list({ tree: 'records', path: '/', depth: 1, limit: 1 })).length).toBe(
      0,
    );
    const again = encryptedStorage(plain, key);
    for (const reserved of headerKeys) {
      const write = { ...reserved, type: 'write', content: new Uint8Array() } as const;
      expect(await failureOf(again.commit({ expect: [], changes: [write], time: 1 }))).toMatch(/^EACCES: .* reserved/);
    }
  });
});

describe('a content that somebody changed', () => {
  it('is an error to read, is still listed, and is not written over', async () => {
    const at = await storedWithSize(canarySize);
    const good = (await inner.read(at))?.content ?? new Uint8Array();
    const forgeries = [
      good.map((byte, index) => (index === 60 ? byte ^ 1 : byte)),
      good.slice(0, -1),
      good.slice(0, 20),
      new Uint8Array(),
      new TextEncoder().encode('not encrypted at all, but long enough to look as if it were'),
    ];
    const path = '/notes/canary-name.md';
    for (const forgery of forgeries) {
      await overwrite(at, forgery);
      const before = await snapshot();
      expect(await failureOf(files.read(path))).toBe(damaged(path));
      expect(await failureOf(files.append(path, 'more'))).toBe(damaged(path));
      expect(await failureOf(files.edit(path, { oldText: 'canary', newText: 'x' }))).toBe(damaged(path));
      expect((await files.list('/notes')).entries.map((entry) => entry.path)).toEqual([path, '/notes/other.md']);
      expect((await files.readText('/notes/other.md')).text).toBe('of another');
      expect(await snapshot()).toEqual(before);
    }
    await overwrite(at, good);
    expect((await files.readText(path)).text).toContain('canary content');
    await overwrite(at, new Uint8Array(3));
    await files.remove(path);
    expect((await files.list('/notes')).entries).toHaveLength(1);
  });

  it('is an error to read in ranges, where the range touches it', async () => {
    await files.write('/large', new Uint8Array(3 * chunkBytes).fill(5));
    const at = await storedWithSize(offsetOf(3));
    const content = (await inner.read(at))?.content ?? new Uint8Array();
    await overwrite(
      at,
      content.map((byte, index) => (index === offsetOf(1) + 9 ? byte ^ 1 : byte)),
    );
    const read = (start: number, end: number) => driver.read({ tree: 'files', path: '/large' }, { start, end });
    for (const [start, end] of [
      [0, 10],
      [chunkBytes - 10, chunkBytes],
      [2 * chunkBytes, 2 * chunkBytes + 10],
    ] as const) {
      expect((await read(start, end))?.content).toEqual(new Uint8Array(end - start).fill(5));
    }
    for (const [start, end] of [
      [chunkBytes - 1, chunkBytes + 1],
      [chunkBytes + 5, chunkBytes + 6],
      [0, 3 * chunkBytes],
    ] as const) {
      expect(await failureOf(read(start, end))).toBe(damaged('/large'));
    }
  });

  it('can be another whole content of the same storage: that is not bound to a name', async () => {
    const [one, two] = [await storedWithSize(canarySize), await storedWithSize(otherSize)];
    const content = (await inner.read(two))?.content ?? new Uint8Array();
    await overwrite(one, content);
    expect((await files.readText('/notes/canary-name.md')).text).toBe('of another');
  });

  it('cannot be one of another storage, not even with the same key', async () => {
    const foreign = memoryStorage();
    await createFiles(encryptedStorage(foreign, key)).write('/notes/canary-name.md', 'foreign');
    const listed = await foreign.list({ tree: 'files', path: '/', depth: 9, limit: 9 });
    const source = listed.find(({ size }) => size === headBytes + 7 + 16);
    if (source === undefined) throw new Error('There is no such content.');
    await overwrite(await storedWithSize(canarySize), (await foreign.read(source))?.content ?? new Uint8Array());
    expect(await failureOf(files.read('/notes/canary-name.md'))).toBe(damaged('/notes/canary-name.md'));
  });
});

describe('names that somebody changed', () => {
  const names = async (): Promise<readonly string[]> =>
    (await files.list('/', { depth: 9 })).entries.map(({ path }) => path);

  it('are left out of listings, with what is below them', async () => {
    const [directory] = await inner.list({ tree: 'files', path: '/', depth: 1, limit: 1 });
    if (directory?.kind !== 'directory') throw new Error('The first is not the directory.');
    const foreign = ['/plain.txt', '/e', '/eaaaa', '/kabc', '/lmnop', `${directory.path}a`];
    for (const path of foreign) await overwrite({ tree: 'files', path }, new Uint8Array(99));
    expect(await names()).toEqual(['/notes', '/notes/canary-name.md', '/notes/other.md']);
    const moved = { tree: 'files', path: `/e${'a'.repeat(51)}` } as const;
    await inner.commit({ expect: [], changes: [{ ...directory, type: 'move', to: moved }], time: 1 });
    expect(await names()).toEqual([]);
    expect(await failureOf(files.read('/notes/other.md'))).toMatch(/^ENOENT: /);
  });

  it('of 129 bytes and more are left out if the file that holds them is gone or another', async () => {
    await files.write(`/${'x'.repeat(200)}`, 'x');
    const held = (await inner.list({ tree: 'files', path: '/', depth: 1, limit: 99 })).find(({ path }) =>
      path.startsWith('/k'),
    );
    if (held === undefined) throw new Error('There is no such file.');
    await overwrite(held, new Uint8Array(300));
    const reopened = createFiles(encryptedStorage(inner, key));
    expect((await reopened.list('/')).entries.map(({ path }) => path)).toEqual(['/notes']);
    expect((await reopened.readText(`/${'x'.repeat(200)}`)).text).toBe('x');
  });

  it('are reported as changes of their directory', async () => {
    const told: string[] = [];
    const done = new Promise<void>((resolve) => {
      driver.watch((changed) => {
        told.push(...changed.map(({ path }) => path));
        if (changed.some(({ path }) => path === '/last')) resolve();
      });
    });
    await overwrite({ tree: 'files', path: '/foreign' }, new Uint8Array(1));
    for (const each of headerKeys) await overwrite(each, new Uint8Array(1));
    await files.write('/last', 'x');
    await done;
    expect(told).toEqual(['/', '/last']);
  });

  it('are marked again where the marker is gone', async () => {
    const listed = await inner.list({ tree: 'files', path: '/', depth: 9, limit: 99 });
    const markers = listed.filter(({ size }) => size === 1);
    expect(markers).toHaveLength(3);
    for (const { tree, path } of markers) {
      await inner.commit({ expect: [], changes: [{ type: 'remove', tree, path }], time: 1 });
    }
    await files.write('/notes/other.md', 'again');
    expect(await failureOf(files.write('/notes/OTHER.md', 'x'))).toMatch(/^EEXIST: /);
    await files.move('/notes', '/moved');
    await files.remove('/moved', { recursive: true });
    expect(await names()).toEqual([]);
  });
});
