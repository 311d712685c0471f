// A storage keeps its header twice, and outlives the loss of one copy, but nothing that somebody put in its place.

import { createFiles, createRecords, isUtensilError } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { EntryKey, StorageDriver } from '@utensil/core/storage';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { alter, key, overwrite } from './test-kit/damage.ts';
import { encryptedStorage } from './encrypted.ts';
import { headerKeys, newEncryption } from './header.ts';
import { utf8 } from './key.ts';

const [primary, copy] = headerKeys as [EntryKey, EntryKey];
const others = new Uint8Array(32).fill(8);
const places = [
  ['first', primary, copy],
  ['second', copy, primary],
] as const;

/** A storage with one file, as it is stored. */
async function begun(names: 'encrypted' | 'plain' = 'encrypted'): Promise<StorageDriver> {
  const inner = memoryStorage();
  await createFiles(encryptedStorage(inner, key, { names })).write('/a', 'a');
  return inner;
}

const textAt = async (inner: StorageDriver, at: EntryKey): Promise<string | undefined> => {
  const found = await inner.read(at);
  return found && new TextDecoder().decode(found.content);
};
const textsOf = (inner: StorageDriver) => Promise.all(headerKeys.map((at) => textAt(inner, at)));

const readAll = async (inner: StorageDriver): Promise<string> =>
  (await createFiles(encryptedStorage(inner, key)).readText('/a')).text;
const writeMore = async (inner: StorageDriver, to = '/b'): Promise<unknown> =>
  createFiles(encryptedStorage(inner, key)).write(to, 'b');

const codeOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'nothing',
    (error: unknown) => (isUtensilError(error) ? error.code : String(error)),
  );

/** Error codes of reading, listing and writing with a key. */
async function codesWith(inner: StorageDriver, secret = key): Promise<string> {
  const driver = encryptedStorage(inner, secret);
  const at = { tree: 'files', path: '/a' } as const;
  const write = { ...at, type: 'write', content: new Uint8Array() } as const;
  const codes = [
    await codeOf(driver.read(at)),
    await codeOf(driver.list({ ...at, path: '/', depth: 1, limit: 1 })),
    await codeOf(driver.commit({ expect: [], changes: [write], time: 1 })),
  ];
  return [...new Set(codes)].join();
}

describe.each(places)('the %s copy of the header', (_, at, other) => {
  it('may have a flipped bit anywhere: everything is read, and the next write repairs it', async () => {
    const inner = await begun();
    const whole = (await inner.read(at))?.content ?? new Uint8Array();
    for (const index of whole.keys()) {
      const flipped = whole.map((byte, each) => (each === index ? byte ^ (1 << (index % 8)) : byte));
      await overwrite(inner, at, flipped);
      expect([index, await readAll(inner)]).toEqual([index, 'a']);
      expect((await inner.read(at))?.content).toEqual(flipped);
      if (index % 16 > 0) continue;
      await writeMore(inner, `/${index}`);
      expect((await inner.read(at))?.content).toEqual(whole);
    }
  });

  it.each([
    ['cut short', '{"format":"utensil-encrypted","version":1,'],
    ['empty', ''],
    ['something else', 'null'],
    ['gone', undefined],
  ])('may be %s', async (__, text) => {
    const inner = await begun();
    const whole = await textAt(inner, at);
    if (text === undefined) await alter(inner, { ...at, type: 'remove' });
    else await overwrite(inner, at, utf8(text));
    expect(await readAll(inner)).toBe('a');
    expect(await codesWith(inner, others)).toBe('EACCES');
    expect(await textAt(inner, at)).toBe(text);
    await writeMore(inner);
    expect(await textsOf(inner)).toEqual([whole, whole]);
    await alter(inner, { ...other, type: 'remove' });
    expect(await readAll(inner)).toBe('a');
  });

  it.each(['encrypted', 'plain'] as const)(
    'is no way to another policy or salt under the same key, nor to another key, with %s names',
    async (names) => {
      const inner = await begun(names);
      const whole = await textAt(inner, other);
      const forged = [
        await newEncryption(key, names === 'plain' ? 'encrypted' : 'plain'),
        await newEncryption(key, names),
        await newEncryption(others, names),
      ];
      for (const { header } of forged) {
        await overwrite(inner, at, utf8(header));
        expect(await codesWith(inner)).toBe('EACCES');
        expect(await codesWith(inner, others)).toBe('EACCES');
        expect([await textAt(inner, at), await textAt(inner, other)]).toEqual([header, whole]);
      }
      await alter(inner, { ...at, type: 'remove' });
      expect(await readAll(inner)).toBe('a');
    },
  );

  it('says that the storage is of a newer version, and is left unchanged', async () => {
    const inner = await begun();
    const newer = await newerHeader();
    await overwrite(inner, at, utf8(newer));
    await expect(readAll(inner)).rejects.toThrow(/^EIO: .*newer version/);
    expect(await codesWith(inner)).toBe('EIO');
    expect(await textAt(inner, at)).toBe(newer);
  });

  it('is not needed while the storage fails to read it, and not written over', async () => {
    const inner = await begun();
    const failing = (...failed: readonly EntryKey[]): StorageDriver => ({
      ...inner,
      async read(wanted, range) {
        if (failed.some(({ path }) => path === wanted.path))
          throw fileError('EIO', wanted.path, { hint: 'It failed.' });
        return inner.read(wanted, range);
      },
    });
    expect(await readAll(failing(at))).toBe('a');
    await writeMore(failing(at));
    await expect(readAll(failing(at, other))).rejects.toThrow(/^EIO: .*It failed\./);
    expect(await codesWith(failing(at), others)).toBe('EIO');
    await overwrite(inner, at, utf8('damaged'));
    await writeMore(failing(at), '/c');
    expect(await textAt(inner, at)).toBe('damaged');
  });
});

describe('both copies of the header', () => {
  it('damaged are damage with any key, and no reason to set a record aside', async () => {
    const inner = await begun();
    for (const at of headerKeys) await overwrite(inner, at, utf8('{"format":"utensil-encrypted"}'));
    expect([await codesWith(inner), await codesWith(inner, others)]).toEqual(['EIO', 'EIO']);
    const lost = { ...inner, read: () => Promise.reject(fileError('content_damaged', '/.encryption')) };
    const records = createRecords(encryptedStorage(lost, key));
    const calls = [() => records.get(['a']), () => records.put(['a'], 1), () => records.setAside(['a'])];
    for (const each of calls) expect(await codeOf(each())).toBe('EIO');
  });

  it('gone with all else are a new storage; gone alone are not', async () => {
    const inner = await begun();
    await alter(inner, ...headerKeys.map((at) => ({ ...at, type: 'remove' }) as const));
    expect(await codesWith(inner)).toBe('EIO');
    for (const entry of await inner.list({ tree: 'files', path: '/', depth: 1, limit: 9 }))
      await alter(inner, { tree: 'files', path: entry.path, type: 'remove' });
    await writeMore(inner, '/a');
    expect(await readAll(inner)).toBe('b');
  });

  it('are told from others by no read, and repaired by the first of many writes', async () => {
    const state = memoryState();
    const inner = memoryStorage({ state });
    await createFiles(encryptedStorage(inner, key)).write('/a', 'a');
    await overwrite(inner, primary, utf8('damaged'));
    const commits: string[] = [];
    const watched: StorageDriver = {
      ...inner,
      commit(commit) {
        commits.push(commit.changes.map(({ path }) => path).join());
        return inner.commit(commit);
      },
    };
    const files = createFiles(encryptedStorage(watched, key));
    await files.list('/');
    await files.readText('/a');
    expect(commits).toEqual([]);
    await Promise.all(Array.from({ length: 8 }, (_, index) => files.write(`/${index}`, 'x')));
    expect(commits.filter((paths) => paths === primary.path)).toHaveLength(1);
    expect((await files.list('/')).entries).toHaveLength(9);
  });

  it('are repaired as soon as the storage takes it, and keep no change from being made meanwhile', async () => {
    const inner = await begun();
    await overwrite(inner, copy, utf8('damaged'));
    let isFull = true;
    const full: StorageDriver = {
      ...inner,
      async commit(commit) {
        if (isFull && commit.changes.some(({ path }) => path === copy.path)) throw fileError('ENOSPC', copy.path);
        return inner.commit(commit);
      },
    };
    const files = createFiles(encryptedStorage(full, key));
    await files.remove('/a');
    expect(await textAt(inner, copy)).toBe('damaged');
    isFull = false;
    await files.write('/a', 'a');
    expect(await textAt(inner, copy)).toBe(await textAt(inner, primary));
  });
});

describe('a storage with one copy and no checksum, as older versions wrote it', () => {
  async function old(names: 'encrypted' | 'plain') {
    const inner = await begun(names);
    const { checksum: _, ...fields } = JSON.parse((await textAt(inner, primary)) ?? '') as Record<string, unknown>;
    const text = `${JSON.stringify(fields)}\n`;
    await overwrite(inner, primary, utf8(text));
    await alter(inner, { ...copy, type: 'remove' });
    return { inner, text, fields };
  }

  it.each(['encrypted', 'plain'] as const)('is read unchanged, and has two with its next write: %s', async (names) => {
    const { inner, text, fields } = await old(names);
    expect(await readAll(inner)).toBe('a');
    expect(await codesWith(inner, others)).toBe('EACCES');
    expect(await textsOf(inner)).toEqual([text, undefined]);
    await writeMore(inner);
    const [one, two] = await textsOf(inner);
    expect(one).toBe(two);
    expect(JSON.parse(one ?? '')).toEqual({ ...fields, checksum: expect.any(String) });
    const listed = await createFiles(encryptedStorage(inner, key)).list('/');
    expect(listed.entries.map(({ path }) => path)).toEqual(['/a', '/b']);
    expect(await encryptedStorage(inner, key).list({ tree: 'records', path: '/', depth: 1, limit: 9 })).toEqual([]);
  });

  it('takes no second one that somebody else made', async () => {
    const { inner } = await old('encrypted');
    for (const forged of [await newEncryption(key, 'plain'), await newEncryption(key, 'encrypted')]) {
      await overwrite(inner, copy, utf8(forged.header));
      expect(await codesWith(inner)).toBe('EACCES');
    }
  });
});

/** A whole header of the next version: its checksum is made in the same way. */
async function newerHeader(): Promise<string> {
  const { checksum: _, ...fields } = JSON.parse((await newEncryption(key, 'plain')).header) as Record<string, unknown>;
  const header = { ...fields, version: 2, more: ['of it'] };
  const { toBase32 } = await import('./base32.ts');
  const checksum = toBase32(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(JSON.stringify(header)))));
  return JSON.stringify({ ...header, checksum });
}
