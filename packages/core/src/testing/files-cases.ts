import { isUtensilError } from '../base/errors.ts';
import { createFiles } from '../files/create-files.ts';
import { assert, assertEqual } from './assert.ts';
import { bytesOf, throws, within } from './storage-kit.ts';
import type { StorageCase } from './storage-kit.ts';

/** Guarantees of core's files over any correct driver. */
export const filesCases = {
  'lands each of 100 parallel appends': async (open) => {
    const files = createFiles(await open());
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    await Promise.all(lines.map((line) => files.append('/logs/all.txt', `${line}\n`)));
    const { text } = await files.readText('/logs/all.txt');
    assertEqual(text.trimEnd().split('\n').sort(), [...lines].sort(), 'the lines');
  },

  'lands the appends of two instances that share nothing else': async (open) => {
    const both = [createFiles(await open()), createFiles(await open())];
    const work = both.map(async (files, who) => {
      for (let index = 0; index < 10; index++) await files.append('/all.txt', `${who}.${index}\n`);
    });
    await Promise.all(work);
    const lines = (await both[0]?.readText('/all.txt'))?.text.trimEnd().split('\n') ?? [];
    assertEqual(new Set(lines).size, 20, 'different lines');
    assertEqual(lines.length, 20, 'lines');
  },

  'lands 100 parallel appends of two instances that share nothing else': async (open) => {
    const both = [createFiles(await open()), createFiles(await open())];
    const lines = Array.from({ length: 50 }, (_, index) => index);
    await Promise.all(both.flatMap((files, who) => lines.map((line) => files.append('/all.txt', `${who}.${line}\n`))));
    const found = (await both[0]?.readText('/all.txt'))?.text.trimEnd().split('\n') ?? [];
    assertEqual(found.length, 100, 'lines');
    for (const who of [0, 1]) {
      const own = found.filter((line) => line.startsWith(`${who}.`));
      assertEqual(
        own,
        lines.map((line) => `${who}.${line}`),
        'the lines of one, in the order in which it appended them',
      );
    }
  },

  'refuses to overwrite a version that was not read': async (open) => {
    const files = createFiles(await open());
    const { etag } = await files.write('/a', 'first');
    await files.write('/a', 'the second', { ifMatch: etag });
    await throws('ECONFLICT', 'a write on the first version', () => files.write('/a', 'third', { ifMatch: etag }));
    assertEqual((await files.readText('/a')).text, 'the second', 'the content');
  },

  'leaves a file alone that already has the content': async (open) => {
    const files = createFiles(await open());
    const first = await files.write('/a', 'same');
    assertEqual(await files.write('/a', bytesOf('same')), first, 'the same content again');
    assertEqual(await files.append('/a', ''), first, 'nothing appended');
  },

  'stays inside its paths': async (open) => {
    const files = createFiles(await open());
    await files.write('/../d/./a.txt', 'a');
    assertEqual((await files.stat('//d/x/../a.txt/'))?.path, '/d/a.txt', 'the normal path');
    assertEqual((await files.stat('/d/e\u0301'))?.path, undefined, 'a name that is not there');
    await files.write('/d/e\u0301', 'decomposed');
    assertEqual((await files.readText('/d/\u00e9')).text, 'decomposed', 'the same name, composed');
    for (const path of ['', 'relative', '/a\\b', '/a\0b', '/\ud800', '/\u202e', '/new\nline']) {
      await throws('EINVAL', JSON.stringify(path), () => files.write(path, 'x'));
    }
    await throws('ENAMETOOLONG', 'a long name', () => files.write(`/${'x'.repeat(256)}`, 'x'));
    await throws('EEXIST', 'a name in capitals', () => files.write('/D/a.txt', 'x'));
  },

  'replaces no directory by a file, and no file by a directory': async (open) => {
    const files = createFiles(await open());
    await files.write('/d/a', 'a');
    await throws('EISDIR', 'a file that replaces a directory', () => files.write('/d', 'x'));
    await throws('ENOTDIR', 'a file below a file', () => files.write('/d/a/b', 'x'));
    await throws('EEXIST', 'a directory that replaces a file', () => files.makeDirectory('/d/a'));
    await throws('ENOTEMPTY', 'the removal of a full directory', () => files.remove('/d'));
    await throws('EINVAL', 'a directory into itself', () => files.move('/d', '/d/e'));
    assertEqual((await files.readText('/d/a')).text, 'a', 'the content after the refusals');
  },

  'moves, copies and removes': async (open) => {
    const files = createFiles(await open());
    await files.write('/from/a', 'a');
    await files.copy('/from/a', '/copies/1/a');
    await throws('EEXIST', 'a copy over a file', () => files.copy('/from/a', '/copies/1/a'));
    await files.move('/from', '/to/deep');
    await throws('ENOENT', 'what was moved', () => files.read('/from/a'));
    await files.write('/b', 'b');
    await files.move('/b', '/to/deep/a', { overwrite: true });
    await files.remove('/copies', { recursive: true });
    const { entries } = await files.list('/', { depth: 9 });
    assertEqual(
      entries.map(({ path }) => path),
      ['/to', '/to/deep', '/to/deep/a'],
      'what is left',
    );
    assertEqual((await files.readText('/to/deep/a')).text, 'b', 'the content that the move replaced');
  },

  'notifies watchers of a directory of the changes in it': async (open) => {
    const files = createFiles(await open());
    await files.write('/d/e/a', 'a');
    const told: string[] = [];
    const stopped = new Promise<void>((resolve) => {
      const end = files.watch('/d/e', (changed) => {
        told.push(...changed);
        if (changed.includes('/d/e/last')) resolve(end());
      });
    });
    await files.write('/d/e/b', 'b');
    await files.write('/d/other', 'not in it');
    await files.write('/d/e/last', 'last');
    await within('word of the last change', stopped);
    assert(told.includes('/d/e/b'), `a new file was not told: ${told.join()}`);
    assert(!told.includes('/d/other'), 'a file outside of the directory was told');
  },

  'stores texts verbatim': async (open) => {
    const files = createFiles(await open());
    const utf16 = Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x0d, 0, 0x0a, 0, 0x62, 0);
    await files.write('/a', utf16);
    await files.edit('/a', { oldText: 'b', newText: '$&c' });
    const { bytes } = await files.read('/a');
    assertEqual([...bytes], [...utf16.slice(0, 8), 0x24, 0, 0x26, 0, 0x63, 0], 'the bytes');
    await files.write('/b', Uint8Array.of(0, 1, 2, 255));
    await throws('binary_file', 'an edit of bytes', () => files.edit('/b', { oldText: 'a', newText: 'b' }));
  },

  'lists a directory page by page': async (open) => {
    const files = createFiles(await open());
    for (let index = 0; index < 7; index++) await files.write(`/d/${index}`, 'x');
    const paths: string[] = [];
    for (let after: string | undefined; ;) {
      const page = await files.list('/d', { limit: 3, ...(after === undefined ? {} : { after }) });
      paths.push(...page.entries.map(({ path }) => path));
      if (page.next === undefined) break;
      after = page.next;
    }
    assertEqual(
      paths,
      Array.from({ length: 7 }, (_, index) => `/d/${index}`),
      'the pages together',
    );
  },

  'gives clear errors without a path of the host': async (open) => {
    const files = createFiles(await open());
    await files.write('/notes/todo.md', 'x');
    const message = await files.read('/notes/tood.md').then(String, (error: unknown) => {
      assert(isUtensilError(error, 'ENOENT'), 'a missing file is ENOENT');
      return error.message;
    });
    assertEqual(
      message,
      "ENOENT: no such file or directory, '/notes/tood.md'. Nearest: '/notes/todo.md'.",
      'the message',
    );
  },
} satisfies Readonly<Record<string, StorageCase>>;
