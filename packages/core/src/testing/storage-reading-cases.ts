import { directoryEtag } from '../files/storage/driver.ts';
import type { StorageEntry, StorageDriver, StorageTree } from '../files/storage/driver.ts';
import { assert, assertEqual } from './assert.ts';
import { at, bytesOf, commit, contentOf, pathsBelow, textAt, to } from './storage-kit.ts';
import type { StorageCase } from './storage-kit.ts';

const trees: readonly StorageTree[] = ['files', 'records'];

/** Guarantees of a storage driver to readers. */
export const readingCases = {
  'has two empty trees at first': async (open) => {
    const driver = await open();
    for (const tree of trees) {
      const [root, missing] = await driver.stat([at('/', tree), at('/missing', tree)]);
      assertEqual([root?.kind, root?.etag, root?.path], ['directory', directoryEtag, '/'], `the root of ${tree}`);
      assert(missing === undefined, `${tree} has an entry that nobody made`);
      assertEqual(await pathsBelow(driver, '/', tree), [], `what is in ${tree}`);
      assert((await driver.read(at('/missing', tree))) === undefined, 'a missing file can be read');
      assert((await driver.read(at('/', tree))) === undefined, 'a directory can be read');
    }
  },

  'reads back what was written': async (open) => {
    const driver = await open();
    const [written] = await commit(driver, to.write('/a.txt', 'first'));
    const found = await driver.read(at('/a.txt'));
    assertEqual(found?.entry, written, 'the entry with the content');
    assertEqual([written?.kind, written?.path, written?.size], ['file', '/a.txt', 5], 'the entry of a file');
    assert((written?.modifiedAt ?? 0) > 0, 'a file needs the time of its last change');
    assertEqual(await textAt(driver, '/a.txt'), 'first', 'the content');
    await commit(driver, to.write('/a.txt', 'the second'));
    assertEqual(await textAt(driver, '/a.txt'), 'the second', 'the content after another write');
  },

  'answers for keys in their order': async (open) => {
    const driver = await open();
    await commit(driver, to.write('/b', 'b'), to.write('/a', 'a'));
    const found = await driver.stat([at('/b'), at('/missing'), at('/a'), at('/b')]);
    assertEqual(
      found.map((entry) => entry?.path ?? null),
      ['/b', null, '/a', '/b'],
      'the entries',
    );
  },

  'keeps every byte': async (open) => {
    const driver = await open();
    const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index);
    const large = Uint8Array.from({ length: 1_048_576 }, (_, index) => (index * 31) % 251);
    const contents = [new Uint8Array(), Uint8Array.of(0), everyByte, bytesOf('\uFEFFa\r\n\0'), large];
    for (const [index, content] of contents.entries()) {
      const [entry] = await commit(driver, to.write(`/${index}`, content));
      const found = await driver.read(at(`/${index}`));
      assertEqual(entry?.size, content.length, 'the size');
      const isSame =
        found?.content.length === content.length && content.every((byte, at) => found.content[at] === byte);
      assert(isSame, `${content.length} bytes came back as others`);
    }
  },

  'reads ranges of bytes': async (open) => {
    const driver = await open();
    await commit(driver, to.write('/a', '0123456789'));
    const ranges = [
      [0, 3, '012'],
      [3, 3, ''],
      [8, 99, '89'],
      [10, 12, ''],
      [50, 60, ''],
    ] as const;
    for (const [start, end, expected] of ranges) {
      const found = await driver.read(at('/a'), { start, end });
      assertEqual(new TextDecoder().decode(found?.content), expected, `bytes ${start} to ${end}`);
      assertEqual(found?.entry.size, 10, 'the size of the file, whatever was read of it');
    }
  },

  'copies bytes on the way in and out': async (open) => {
    const driver = await open();
    const buffer = bytesOf('-given-');
    await commit(driver, to.write('/a', buffer.subarray(1, 6)));
    buffer.fill(0);
    const found = await driver.read(at('/a'));
    found?.content.fill(0);
    assertEqual(await textAt(driver, '/a'), 'given', 'the content after others changed their arrays');
  },

  'lists in the order of paths': async (open) => {
    const driver = await open();
    const directories = ['/a', '/a/a', '/b'];
    const files = ['/B', '/a/a/z', '/a/b', '/a-b', '/a.b', '/ab', '/é', '/z', '/😀', '/～'];
    await commit(
      driver,
      ...directories.map((path) => to.makeDirectory(path)),
      ...files.map((path) => to.write(path, 'x')),
    );
    const expected = ['/B', '/a', '/a/a', '/a/a/z', '/a/b', '/a-b', '/a.b', '/ab', '/b', '/z', '/é', '/😀', '/～'];
    assertEqual(await pathsBelow(driver), expected, 'the listing');
  },

  'lists to a depth': async (open) => {
    const driver = await open();
    await commit(
      driver,
      to.makeDirectory('/a'),
      to.makeDirectory('/a/b'),
      to.write('/a/b/c', 'x'),
      to.write('/z', 'x'),
    );
    const list = async (path: string, depth: number): Promise<readonly string[]> =>
      (await driver.list({ ...at(path), depth, limit: 99 })).map((entry) => entry.path);
    assertEqual(await list('/', 1), ['/a', '/z'], 'one level');
    assertEqual(await list('/', 2), ['/a', '/a/b', '/z'], 'two levels');
    assertEqual(await list('/a', 1), ['/a/b'], 'one level of a directory');
    assertEqual([...(await list('/z', 9)), ...(await list('/missing', 9))], [], 'below a file, and below nothing');
  },

  'lists page by page': async (open) => {
    const driver = await open();
    await commit(
      driver,
      to.makeDirectory('/d'),
      to.makeDirectory('/d/e'),
      ...'0123456789'
        .split('')
        .flatMap((name) => ['/d', '/d/e'].map((directory) => to.write(`${directory}/${name}`, name))),
    );
    const all = await pathsBelow(driver);
    for (const limit of [1, 3, 22, 99]) {
      const paged: string[] = [];
      for (let after = ''; ; after = paged.at(-1) ?? '') {
        const query = { ...at('/'), depth: 9, limit };
        const page = await driver.list(after === '' ? query : { ...query, after });
        assert(page.length <= limit, `a page of ${limit} has ${page.length} entries`);
        paged.push(...page.map((entry) => entry.path));
        if (page.length < limit || paged.length > 99) break;
      }
      assertEqual(paged, all, `pages of ${limit}`);
    }
  },

  'describes an entry the same way everywhere': async (open) => {
    const driver = await open();
    for (const tree of trees) {
      await commit(driver, to.makeDirectory('/d', tree), to.write('/d/a', 'a', tree), to.write('/b', 'bb', tree));
      const listed = await driver.list({ ...at('/', tree), depth: 9, limit: 99 });
      assertEqual(listed.length, 3, `the entries in ${tree}`);
      const entries = (await driver.stat(listed)).filter((entry) => entry !== undefined);
      for (const [index, { etag, ...entry }] of entries.entries()) {
        const { tree, path, kind, size, modifiedAt } = listed[index] ?? entry;
        assertEqual(
          { tree, path, kind, size, modifiedAt },
          entry,
          `the entry according to stat and list, except the etag ${etag}`,
        );
      }
      assertEqual(entries.length, listed.length, 'entries that were listed and are there');
      for (const entry of entries) await assertReadable(driver, entry);
    }
  },

  'keeps namespaces apart': async (open) => {
    const [driver, other] = [await open('a'), await open('b')];
    const told: string[] = [];
    driver.watch((changed) => told.push(...changed.map(({ path }) => path)));
    await commit(other, to.makeDirectory('/only of b'));
    for (const tree of trees) {
      await commit(driver, to.write('/same', 'of a', tree), to.write('/a', 'a', tree));
      await commit(other, to.write('/same', 'of b', tree));
      assertEqual(await contentOf(driver, tree), { '/a': 'a', '/same': 'of a' }, 'the one namespace');
      assertEqual(await textAt(other, '/same', tree), 'of b', 'the other namespace');
      await commit(driver, to.remove('/same', tree), to.remove('/a', tree));
      assertEqual(await textAt(other, '/same', tree), 'of b', 'the other namespace after this one was emptied');
    }
    assert(!told.includes('/only of b'), 'a watcher of one namespace was notified of the other');
  },

  'keeps trees apart': async (open) => {
    const driver = await open();
    await commit(
      driver,
      to.write('/a', 'a file'),
      to.write('/a', 'a record', 'records'),
      to.write('/b', 'b', 'records'),
    );
    assertEqual(await contentOf(driver), { '/a': 'a file' }, 'files');
    assertEqual(await contentOf(driver, 'records'), { '/a': 'a record', '/b': 'b' }, 'records');
  },

  'keeps unusual names': async (open) => {
    const driver = await open();
    const longest = 'é'.repeat(127) + 'x';
    const names = [
      '__proto__',
      'constructor',
      'toString',
      '.hidden',
      '...',
      ' spaced ',
      '~',
      '%2e%2e',
      "quo'te",
      'a;b',
      '日本語',
      'é',
      '👩‍💻',
      '𝒳',
      'İ',
      longest,
    ];
    await commit(driver, to.makeDirectory('/__proto__x'), ...names.map((name) => to.write(`/${name}`, name)));
    assertEqual(
      [...(await pathsBelow(driver))].sort(),
      ['/__proto__x', ...names.map((name) => `/${name}`)].sort(),
      'names',
    );
    for (const name of names) assertEqual(await textAt(driver, `/${name}`), name, `the content of ${name}`);
  },
} satisfies Readonly<Record<string, StorageCase>>;

async function assertReadable(driver: StorageDriver, entry: StorageEntry): Promise<void> {
  const found = await driver.read(entry);
  if (entry.kind === 'directory') return assert(found === undefined, `the directory ${entry.path} can be read`);
  assertEqual(found?.entry, entry, `the entry of ${entry.path} according to read`);
  assertEqual(found?.content.length, entry.size, `the size of ${entry.path}`);
}
