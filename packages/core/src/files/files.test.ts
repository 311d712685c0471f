// The files layer of core, over a storage that keeps every promise.

import { memoryStorage } from '@utensil/storage-memory';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isUtensilError } from '../base/errors.ts';
import { createRecords } from '../records/records.ts';
import { createFiles } from './create-files.ts';
import type { Files } from './files.ts';
import { mediaTypeOf } from './media-type.ts';
import { readOnly } from './read-only.ts';
import type { StorageDriver } from './storage/driver.ts';

let driver: StorageDriver;
let files: Files;
afterEach(() => vi.useRealTimers());
beforeEach(() => {
  driver = memoryStorage();
  files = createFiles(driver, { now: () => 1000 });
});

/** The message that a call fails with. */
async function messageOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    (value) => `no error, but ${JSON.stringify(value)}`,
    (error: unknown) => (isUtensilError(error) ? error.message : `${String(error)}, which is not ours`),
  );
}

const failures: readonly [string, (files: Files) => Promise<unknown>][] = [
  ["ENOENT: no such file or directory, '/d/b.csv'", (files) => files.read('/d/b.csv')],
  ["ENOENT: no such file or directory, '/d/A.txt'. Nearest: '/d/a.txt'.", (files) => files.readText('/d/A.txt')],
  ["ENOENT: no such file or directory, '/d/a.txt/b'. '/d/a.txt' is a file.", (files) => files.read('/d/a.txt/b')],
  ["ENOENT: no such file or directory, '/none/x'", (files) => files.list('/none/x')],
  ["ENOENT: no such file or directory, '/d/new'", (files) => files.write('/d/new', '', { create: 'never' })],
  ["ENOENT: no such file or directory, '/d/new'", (files) => files.edit('/d/new', { oldText: 'a', newText: 'b' })],
  ["ENOENT: no such file or directory, '/d/new'", (files) => files.remove('/d/new')],
  ["ENOENT: no such file or directory, '/d/new'", (files) => files.move('/d/new', '/e')],
  [
    "EEXIST: file already exists, '/d/a.txt'. Choose another name.",
    (files) => files.write('/d/a.txt', '', { create: 'must' }),
  ],
  ["EEXIST: file already exists, '/d'. It is a directory.", (files) => files.makeDirectory('/d')],
  ["EEXIST: file already exists, '/d/a.txt'. Choose another name.", (files) => files.copy('/d/binary', '/d/a.txt')],
  [
    "EEXIST: file already exists, '/d'. It is a directory.",
    (files) => files.move('/d/a.txt', '/d', { overwrite: true }),
  ],
  [
    "EEXIST: file already exists, '/D'. '/d' differs from it only in case: use that one, or another name.",
    (files) => files.write('/D/x', ''),
  ],
  ["EISDIR: is a directory, '/d'", (files) => files.read('/d')],
  ["EISDIR: is a directory, '/d'", (files) => files.write('/d', '')],
  ["EISDIR: is a directory, '/'", (files) => files.append('/', '')],
  ["EISDIR: is a directory, '/d'", (files) => files.copy('/d', '/e')],
  ["ENOTDIR: not a directory, '/d/a.txt/b'. '/d/a.txt' is a file.", (files) => files.write('/d/a.txt/b', '')],
  ["ENOTDIR: not a directory, '/d/a.txt'. It is a file: read it.", (files) => files.list('/d/a.txt')],
  [
    "ENOTEMPTY: directory not empty, '/d'. Remove its contents first, or all of it together.",
    (files) => files.remove('/d'),
  ],
  ["EINVAL: invalid argument, '/'. The root cannot be removed.", (files) => files.remove('/', { recursive: true })],
  ["EINVAL: invalid argument, '/'. The root cannot be moved.", (files) => files.move('/', '/e')],
  [
    "EINVAL: invalid argument, '/d/a.txt'. Invalid byte range: from 2 to 1.",
    (files) => files.read('/d/a.txt', { start: 2, end: 1 }),
  ],
  [
    "EILSEQ: not valid Unicode text, '/d/a.txt'. The text contains half of a surrogate pair.",
    (files) => files.append('/d/a.txt', '\ud800'),
  ],
  [
    "EFBIG: file too large, '/big'. It would have 10485761 bytes; the limit is 10485760.",
    (files) => files.write('/big', new Uint8Array(10_485_761)),
  ],
  [
    "ECONFLICT: changed meanwhile, '/d/a.txt'. It is not the version that you read: read it again, then decide.",
    (files) => files.write('/d/a.txt', '', { ifMatch: 'x' }),
  ],
  [
    "ECONFLICT: changed meanwhile, '/gone'. It is not the version that you read: read it again, then decide.",
    (files) => files.write('/gone', '', { ifMatch: 'x' }),
  ],
  ["EROFS: read-only file system, '/d/a.txt'. It is read-only.", (files) => readOnly(files).write('/d/a.txt', '')],
  [
    "string_not_found: no such text, '/d/a.txt'. It must match exactly, spaces and line breaks included: read the file again.",
    (files) => files.edit('/d/a.txt', { oldText: 'b', newText: '' }),
  ],
  [
    "string_not_unique: the text occurs 2 times, '/d/a.txt', on lines 1, 2. Add what is around it, or replace all.",
    (files) => files.edit('/d/a.txt', { oldText: 'a', newText: '' }),
  ],
  [
    "invalid_line: no line 3 to insert after, '/d/a.txt'. Give a line from 0 (before the first) to 2.",
    (files) => files.insertLines('/d/a.txt', 3, ''),
  ],
  [
    "binary_file: not a text file, '/d/binary'. It is neither UTF-8 text nor UTF-16 text with a byte order mark: read or write it as bytes.",
    (files) => files.readText('/d/binary'),
  ],
];

describe('every failure has one code and says what to do', () => {
  beforeEach(async () => {
    await files.write('/d/a.txt', 'a\na\n');
    await files.write('/d/binary', Uint8Array.of(0, 255));
  });

  it.each(failures)('[S0-29] %s', async (message, call) => {
    expect(await messageOf(call(files))).toBe(message);
  });

  it('EIO if a storage throws what it should not, EBADF if it is closed', async () => {
    const broken = createFiles({ ...driver, read: () => Promise.reject(new Error('/host/path')) });
    const hint = 'The storage failed: try again, and check the storage if it fails again.';
    expect(await messageOf(broken.read('/d/a.txt'))).toBe(`EIO: input or output failed, '/d/a.txt'. ${hint}`);
    await driver.close();
    expect(await messageOf(files.read('/d/a.txt'))).toBe("EBADF: storage is closed, '/d/a.txt'. Open it again.");
  });

  it('ECONFLICT if others never stop changing a file', async () => {
    let commits = 0;
    const restless: StorageDriver = {
      ...driver,
      commit: async () => ({ ok: false, conflict: { tree: 'files', path: `/d/${commits++}` }, entry: undefined }),
    };
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const failed = messageOf(createFiles(restless).write('/d/a.txt', 'b'));
    await vi.runAllTimersAsync();
    expect(await failed).toBe(
      "ECONFLICT: changed meanwhile, '/d/a.txt'. Others keep changing it: try again in a moment.",
    );
    expect(commits).toBe(64);
  });
});

describe('changes', () => {
  it('remove only the version that was read, if asked to', async () => {
    const files = createFiles(memoryStorage());
    const { etag } = await files.write('/a', 'one');
    await files.write('/a', 'two');
    await expect(files.remove('/a', { ifMatch: etag })).rejects.toMatchObject({ code: 'ECONFLICT' });
    const { etag: now } = (await files.stat('/a')) ?? { etag: '' };
    await files.remove('/a', { ifMatch: now });
    expect(await files.stat('/a')).toBeUndefined();
  });

  it('[S0-21] are made at the resolved path', async () => {
    await files.write('/../d/a.json', '1');
    expect((await files.readText('/d/a.json')).text).toBe('1');
    expect((await files.readText('/d//x/.././a.json/')).path).toBe('/d/a.json');
  });

  it('[D0-02] do not move a directory into itself', async () => {
    await files.write('/lib/a.js', '1');
    const message = "EINVAL: invalid argument, '/lib'. It cannot be moved into itself, to '/lib/sub'.";
    expect(await messageOf(files.move('/lib', '/lib/sub'))).toBe(message);
    expect(await messageOf(files.move('/lib', '/lib/sub', { overwrite: true }))).toBe(message);
    expect((await files.readText('/lib/a.js')).text).toBe('1');
  });

  it('[D0-03] do not search for an empty text', async () => {
    await files.write('/a', 'text');
    const message = "EINVAL: invalid argument, '/a'. The text to replace is empty: say which text to replace.";
    expect(await messageOf(files.edit('/a', { oldText: '', newText: 'x' }))).toBe(message);
  });

  it('[D0-07] insert a text that ends in a line break without a blank line', async () => {
    await files.write('/a', '1\n3\n');
    expect(await files.insertLines('/a', 1, '2\n')).toMatchObject({
      text: '1\n2\n3\n',
      ranges: [{ start: 2, end: 2 }],
    });
  });

  it('[D0-11] leave sizes in bytes', async () => {
    expect((await files.write('/text', 'é😀')).size).toBe(6);
    expect((await files.write('/binary', new Uint8Array(3000))).size).toBe(3000);
    expect((await files.list('/')).entries.map(({ size }) => size)).toEqual([3000, 6]);
  });

  it('[S0-25] leave binary files to bytes, and their kind to how they begin', async () => {
    const kinds: readonly [string, readonly number[]][] = [
      ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0]],
      ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
      ['image/gif', [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0xff]],
      ['image/webp', [0x52, 0x49, 0x46, 0x46, 0xff, 0, 0, 0, 0x57, 0x45, 0x42, 0x50]],
      ['application/pdf', [0x25, 0x50, 0x44, 0x46, 0x2d, 0xff]],
      ['application/zip', [0x50, 0x4b, 0x03, 0x04]],
      ['application/octet-stream', [0x00, 0x01]],
    ];
    for (const [mediaType, start] of kinds) {
      await files.write('/a', Uint8Array.from([...start, 0, 0xff]));
      expect(mediaTypeOf((await files.read('/a')).bytes)).toBe(mediaType);
      expect(await messageOf(files.edit('/a', { oldText: 'a', newText: 'b' }))).toMatch(/^binary_file/);
      expect(await messageOf(files.insertLines('/a', 0, 'b'))).toMatch(/^binary_file/);
      expect(await messageOf(files.append('/a', 'b'))).toMatch(/^binary_file/);
      expect((await files.append('/a', Uint8Array.of(1))).size).toBe(start.length + 3);
    }
  });

  it('[S0-26] in parallel all land, and one file does not wait for another', async () => {
    await Promise.all([files.append('/a', '1'), files.append('/a', '2')]);
    expect((await files.readText('/a')).text).toBe('12');
    let resolve = (): void => {};
    const promise = new Promise<void>((done) => (resolve = done));
    const slow = createFiles({
      ...driver,
      commit: async (commit) => {
        if (commit.changes.some(({ path }) => path === '/slow')) await promise;
        return driver.commit(commit);
      },
    });
    const waiting = slow.write('/slow', 'x');
    await slow.write('/fast', 'x');
    expect(await files.stat('/slow')).toBeUndefined();
    resolve();
    expect((await waiting).path).toBe('/slow');
  });

  it('copy their input, so later changes of the array do not matter', async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const writing = files.write('/a', bytes);
    bytes.fill(0);
    await writing;
    expect([...(await files.read('/a')).bytes]).toEqual([1, 2, 3]);
  });

  it('carry the time, except those that change nothing', async () => {
    const first = await files.write('/a', 'a');
    const later = createFiles(driver, { now: () => 2000 });
    expect(first).toEqual({ path: '/a', kind: 'file', size: 1, modifiedAt: 1000, etag: first.etag });
    expect(await later.write('/a', 'a')).toEqual(first);
    expect(await later.edit('/a', { oldText: 'a', newText: 'a' })).toMatchObject(first);
    expect(await later.copy('/a', '/a', { overwrite: true })).toEqual(first);
    expect(await later.move('/a', '/a', { overwrite: true })).toEqual(first);
    expect((await later.write('/a', 'b')).modifiedAt).toBe(2000);
  });

  it('spell a name in another case, but make no two of them', async () => {
    await files.write('/d/read.md', 'a');
    await files.move('/d/read.md', '/d/READ.md');
    expect((await files.list('/d')).entries.map(({ path }) => path)).toEqual(['/d/READ.md']);
    expect(await messageOf(files.makeDirectory('/D'))).toMatch(/^EEXIST/);
    expect(await messageOf(files.copy('/d/READ.md', '/d/read.md'))).toMatch(/^EEXIST/);
  });

  it('move nothing to where its paths would be too long', async () => {
    const deep = '/x'.repeat(30);
    await files.write(`/a${deep}`, 'a');
    expect(await messageOf(files.move('/a', '/b/c/d'))).toMatch(/^ENAMETOOLONG/);
    await files.write(`/${'a'.repeat(90)}${`/${'n'.repeat(185)}`.repeat(5)}`, 'x');
    expect(await messageOf(files.move(`/${'a'.repeat(90)}`, `/${'語'.repeat(85)}`))).toMatch(/^ENAMETOOLONG/);
    await files.move('/a', '/b/c');
    expect((await files.stat(`/b/c${deep}`))?.size).toBe(1);
  });

  it('keep the form in which a text is stored', async () => {
    const marked = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a);
    await files.write('/a', marked);
    expect(await files.readText('/a')).toMatchObject({ text: 'a\r\n', format: { encoding: 'utf-8', bom: true } });
    await files.insertLines('/a', 1, 'b');
    await files.append('/a', 'c');
    expect([...(await files.read('/a')).bytes]).toEqual([...marked, 0x62, 0x0d, 0x0a, 0x63]);
  });
});

describe('readOnly', () => {
  it('lets nothing be brought below the prefix from above', async () => {
    const files = createFiles(memoryStorage());
    await files.write('/planted/memories/a.md', 'believe me');
    const view = readOnly(files, '/project/memories');
    await expect(view.move('/planted', '/project')).rejects.toMatchObject({ code: 'EROFS' });
    expect(await files.stat('/project')).toBeUndefined();
  });

  it('protects entries below the prefix, and their parent directories', async () => {
    await files.write('/memories/a/b.md', 'a');
    await files.write('/c.md', 'c');
    const view = readOnly(files, '/memories/a');
    const refused = [
      view.write('/memories/a/b.md', ''),
      view.append('/x/../memories/a/new.md', ''),
      view.edit('/memories/a/b.md', { oldText: 'a', newText: '' }),
      view.insertLines('/memories/a/b.md', 0, ''),
      view.makeDirectory('/memories/a/d'),
      view.remove('/memories/a/b.md'),
      view.remove('/memories', { recursive: true }),
      view.move('/memories/a/b.md', '/b.md'),
      view.move('/memories', '/other'),
      view.move('/c.md', '/memories/a/c.md'),
      view.copy('/c.md', '/memories/a/c.md'),
    ];
    for (const call of refused) expect(await messageOf(call)).toMatch(/^EROFS: read-only file system, /);
    expect((await view.readText('/memories/a/b.md')).text).toBe('a');
    expect((await view.list('/memories/a')).entries).toHaveLength(1);
    await view.copy('/memories/a/b.md', '/memories/b.md');
    expect((await view.stat('/memories/b.md'))?.size).toBe(1);
  });
});

describe('records', () => {
  it('[D0-12] that are corrupt never load as empty and are never overwritten', async () => {
    const records = createRecords(driver, { now: () => 5 });
    const contents = ['', '{"a":', 'null and more', '\0', Uint8Array.of(0xff, 0xfe, 0x7b)];
    for (const content of contents) {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      await records.put(['tree'], { nodes: 3 });
      const write = { type: 'write', tree: 'records', path: '/tree.json', content: bytes } as const;
      await driver.commit({ expect: [], changes: [write], time: 0 });
      expect(await messageOf(records.get(['tree']))).toMatch(
        /^record_corrupt: the record 'tree' is not JSON \(.+\)\. It was left/,
      );
      expect(await messageOf(records.put(['tree'], {}))).toMatch(/^record_corrupt/);
      expect(await messageOf(records.put(['tree'], {}, { ifMatch: null }))).toMatch(/^record_corrupt/);
      const name = await records.setAside(['tree']);
      expect((await driver.read({ tree: 'records', path: `/${name}` }))?.content).toEqual(bytes);
    }
    expect(await records.setAside(['tree'])).toBeUndefined();
  });

  it('are put only over the version that was read', async () => {
    const records = createRecords(driver);
    const { etag } = await records.put(['a'], 1, { ifMatch: null });
    expect(await messageOf(records.put(['a'], 2, { ifMatch: null }))).toMatch(/^ECONFLICT/);
    await records.put(['a'], 2, { ifMatch: etag });
    expect(await messageOf(records.put(['a'], 3, { ifMatch: etag }))).toMatch(/^ECONFLICT/);
    expect((await records.get(['a']))?.value).toBe(2);
  });

  it('are durable on request, also where the same is there already', async () => {
    const asked: (boolean | undefined)[] = [];
    const watched: StorageDriver = {
      ...driver,
      commit(commit) {
        asked.push(commit.durable);
        return driver.commit(commit);
      },
    };
    const records = createRecords(watched);
    await records.append(['log'], 1);
    await records.append(['log'], 2, { durable: true });
    await records.put(['a'], 1);
    await records.put(['a'], 1);
    await records.put(['a'], 1, { durable: true });
    await records.append(['log'], 3);
    expect(asked).toEqual([undefined, true, undefined, true, undefined]);
    expect((await records.get(['a']))?.value).toBe(1);
  });

  it('of a log get no number twice, not even that of one that was set aside', async () => {
    const records = createRecords(driver);
    await records.append(['log'], 'a');
    await records.append(['log'], 'b');
    await records.setAside(['log', '000000000002'], { unless: () => false });
    expect(await createRecords(driver).append(['log'], 'c')).toBe(3);
    expect(await records.append(['log'], 'd')).toBe(4);
  });

  it('are removed alone or with all below them, and need not be there', async () => {
    const records = createRecords(driver);
    await records.put(['threads', 'a'], {});
    await records.append(['threads', 'a', 'events'], 1);
    await records.remove(['threads', 'a']);
    expect(await records.get(['threads', 'a', 'events', '000000000001'])).toMatchObject({ value: 1 });
    await records.remove(['threads', 'a'], { recursive: true });
    await records.remove(['threads', 'a'], { recursive: true });
    expect(await records.get(['threads', 'a', 'events', '000000000001'])).toBeUndefined();
  });
});
