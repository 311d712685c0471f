// A project as one file: over a storage that keeps every promise.

import { memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { isUtensilError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { createFiles } from '../create-files.ts';
import { fileError } from '../file-error.ts';
import type { Files } from '../files.ts';
import { subtree } from '../subtree.ts';
import { exportFiles } from './export-files.ts';
import { importFiles } from './import-files.ts';
import type { ImportOptions } from './import-files.ts';

const newFiles = (): ReturnType<typeof createFiles> => createFiles(memoryStorage(), { now: () => 1000 });

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** Every path with its bytes, or undefined for a directory. */
async function contentOf(files: Files): Promise<readonly (readonly [string, readonly number[] | undefined])[]> {
  const { entries } = await files.list('/', { depth: 32 });
  return Promise.all(
    entries.map(
      async ({ path, kind }) => [path, kind === 'file' ? [...(await files.read(path)).bytes] : undefined] as const,
    ),
  );
}

/** The message that a call fails with. */
async function messageOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    (value) => `no error, but ${JSON.stringify(value)}`,
    (error: unknown) => (isUtensilError(error) ? error.message : `${String(error)}, which is not ours`),
  );
}

function bundleOf(...entries: readonly unknown[]): string {
  return JSON.stringify({ format: 'utensil-bundle', version: 1, entries });
}

describe('a bundle', () => {
  it('[S0-66] is one JSON file, with text as text, and what an app adds', async () => {
    const files = newFiles();
    await files.write('/b.bin', Uint8Array.of(0, 255));
    await files.write('/docs/a.md', 'one\n');
    await files.makeDirectory('/docs/empty');
    const sections = { settings: { theme: 'dark' }, threads: [] };
    const text = await textOf(exportFiles(files, { sections }));
    expect(JSON.parse(text)).toEqual({
      format: 'utensil-bundle',
      version: 1,
      sections,
      entries: [
        { path: '/b.bin', modifiedAt: 1000, mediaType: 'application/octet-stream', base64: 'AP8=' },
        { path: '/docs/a.md', modifiedAt: 1000, mediaType: 'text/plain', text: 'one\n' },
        { path: '/docs/empty', directory: true },
      ],
    });
    const copy = newFiles();
    expect(await importFiles(copy, text)).toEqual({ written: 2, skipped: [], sections });
    expect(await contentOf(copy)).toEqual(await contentOf(files));
  });

  it('[S0-66] gives back every byte, name, empty directory and section', async () => {
    const names = fc.constantFrom(
      'a',
      "it's",
      'Ü ber',
      '😀',
      '.hidden',
      '__proto__',
      'constructor',
      '%2e',
      '"',
      'c.md',
    );
    const path = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
    const text = fc.array(fc.constantFrom('a', '\r\n', '\n', '\ufeff', '\0', '😀', '\u2028', '"', '\\', '\u001b'));
    const content = fc.oneof(
      text.map((parts) => new TextEncoder().encode(parts.join(''))),
      text.map((parts) => Uint8Array.from(Buffer.from(`\ufeff${parts.join('')}`, 'utf16le'))),
      fc.uint8Array({ maxLength: 50 }),
      fc.constant(undefined),
    );
    const sections = fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.jsonValue({ maxDepth: 3 }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(path, content), { maxLength: 12 }), sections, async (written, added) => {
        const [files, copy] = [newFiles(), newFiles()];
        for (const [at, bytes] of written) {
          await (bytes === undefined ? files.makeDirectory(at) : files.write(at, bytes)).catch(() => {});
        }
        const given = JSON.parse(JSON.stringify(added)) as Record<string, Json>;
        const result = await importFiles(copy, exportFiles(files, { sections: given }));
        expect(await contentOf(copy)).toEqual(await contentOf(files));
        expect(JSON.stringify(result.sections)).toBe(JSON.stringify(given));
      }),
      { numRuns: 200 },
    );
  });

  it('is of the files that it is made of, wherever they are', async () => {
    const [files, copy] = [newFiles(), newFiles()];
    await files.write('/projects/a/x.md', 'x');
    await files.write('/secret', 'x');
    await importFiles(subtree(copy, '/imported'), exportFiles(subtree(files, '/projects/a')));
    expect((await contentOf(copy)).map(([path]) => path)).toEqual(['/imported', '/imported/x.md']);
  });

  it('leaves out what vanishes while it is made, and ends when it is told to', async () => {
    const files = newFiles();
    for (const path of ['/a', '/b', '/c']) await files.write(path, path);
    const vanishing: Files = {
      ...files,
      read: async (path) => {
        if (path === '/b') throw fileError('ENOENT', path);
        return files.read(path);
      },
    };
    const { entries } = JSON.parse(await textOf(exportFiles(vanishing))) as { entries: { path: string }[] };
    expect(entries.map(({ path }) => path)).toEqual(['/a', '/c']);
    await expect(textOf(exportFiles(files, { signal: AbortSignal.abort('enough') }))).rejects.toBe('enough');
  });

  it('of nothing is one too', async () => {
    const text = await textOf(exportFiles(newFiles()));
    expect(await importFiles(newFiles(), text)).toEqual({ written: 0, skipped: [], sections: {} });
  });
});

describe('an import', () => {
  let files: ReturnType<typeof newFiles>;
  beforeEach(async () => {
    files = newFiles();
    await files.write('/a.md', 'mine');
    await files.write('/d/b.md', 'mine');
  });

  const item = { path: '/new.md', text: 'x' };
  const refused: readonly [string, string][] = [
    ['', 'It is not JSON, or not all of it: perhaps a download was interrupted.'],
    [bundleOf(item).slice(0, -2), 'It is not JSON, or not all of it: perhaps a download was interrupted.'],
    ['[]', 'It does not say that it is one.'],
    ['{"__proto__":{"format":"utensil-bundle","version":1,"entries":[]}}', 'It does not say that it is one.'],
    ['{"format":"utensil-bundle","entries":[]}', 'It has no version.'],
    ['{"format":"utensil-bundle","version":"1","entries":[]}', 'It has no version.'],
    ['{"format":"utensil-bundle","version":1}', 'It has no list of entries.'],
    ['{"format":"utensil-bundle","version":1,"entries":{}}', 'It has no list of entries.'],
    ['{"format":"utensil-bundle","version":1,"entries":[],"sections":[]}', 'Its sections have no names.'],
    [bundleOf(item, null), 'Entry 2 has no path.'],
    [bundleOf(item, { text: '' }), 'Entry 2 has no path.'],
    [bundleOf(item, { path: 'relative', text: '' }), "Entry 2 has an invalid path: 'relative'."],
    [bundleOf(item, { path: '/a\\b', text: '' }), "Entry 2 has an invalid path: '/a\\b'."],
    [bundleOf(item, { path: '/a\u202eb', text: '' }), "Entry 2 has an invalid path: '/a\\u{202e}b'."],
    [bundleOf(item, { path: `/${'a'.repeat(256)}`, text: '' }), `Entry 2 has an invalid path: '/${'a'.repeat(256)}'.`],
    [bundleOf(item, { path: '/..', directory: true }), 'Entry 2 is the root, which is there always.'],
    [bundleOf(item, { path: '/x' }), "Entry 2, '/x', needs one of text, base64 and directory."],
    [bundleOf(item, { path: '/x', text: '', base64: '' }), "Entry 2, '/x', needs one of text, base64 and directory."],
    [bundleOf(item, { path: '/x', text: 5 }), "Entry 2, '/x', has a content that cannot be read."],
    [bundleOf(item, { path: '/x', directory: false }), "Entry 2, '/x', has a content that cannot be read."],
    [bundleOf(item, { path: '/x', text: '\ud800' }), "Entry 2, '/x', has a content that cannot be read."],
    ...['AP8', 'A P8=', 'AP8=\n', 'AP9=', '!', 'AP8=AP8='].map((base64): [string, string] => [
      bundleOf(item, { path: '/x', base64 }),
      "Entry 2, '/x', has a content that cannot be read.",
    ]),
    [bundleOf(item, { path: '/y/../new.md', text: '' }), "It has '/new.md' twice."],
    [bundleOf(item, { path: '/NEW.md', text: '' }), "'/NEW.md' and '/new.md' differ only in case."],
    [bundleOf({ path: '/x/1', text: '' }, { path: '/X/2', text: '' }), "'/X' and '/x' differ only in case."],
    [bundleOf({ path: '/new.md/x', text: '' }, item), "'/new.md/x' is below '/new.md', which is a file."],
  ];

  it.each(refused)('refuses %.120s', async (bundle, hint) => {
    const message = await messageOf(importFiles(files, bundle));
    expect(message).toBe(`bundle_corrupt: this is no bundle of files. ${hint}`);
    expect((await files.list('/')).entries.map(({ path }) => path)).toEqual(['/a.md', '/d']);
  });

  it('refuses a newer bundle, and one that is too large in any way', async () => {
    expect(await messageOf(importFiles(files, '{"format":"utensil-bundle","version":2}'))).toBe(
      'bundle_newer: the bundle was made by a newer version. It has version 2, and 1 is the latest that this version reads: update first.',
    );
    const bundle = bundleOf(item, { path: '/large', text: 'éé' });
    const limited = (options: ImportOptions): Promise<string> => messageOf(importFiles(files, bundle, options));
    expect(await limited({ maxLength: 20 })).toBe('EFBIG: file too large. The bundle has more than 20 characters.');
    expect(await limited({ maxFileBytes: 3 })).toBe(
      "EFBIG: file too large, in the bundle. '/large' has 4 bytes; the limit is 3.",
    );
    expect(await limited({ maxEntries: 1 })).toBe(
      'bundle_corrupt: this is no bundle of files. It has 2 entries; the limit is 1.',
    );
    let read = 0;
    async function* endless(): AsyncGenerator<string, void> {
      for (;;) {
        read++;
        yield 'x'.repeat(100);
      }
    }
    expect(await messageOf(importFiles(files, endless(), { maxLength: 1000 }))).toMatch(/^EFBIG/);
    expect(read).toBe(11);
  });

  it('leaves the prototypes alone', async () => {
    const bundle =
      '{"format":"utensil-bundle","version":1,"sections":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}},' +
      '"entries":[{"path":"/__proto__/polluted","text":"x","__proto__":{"polluted":1}}]}';
    const { sections } = await importFiles(files, bundle);
    expect(Object.getPrototypeOf(sections)).toBe(Object.prototype);
    expect(Object.keys(sections)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((await files.readText('/__proto__/polluted')).text).toBe('x');
  });

  it('refuses, overwrites or skips what is there', async () => {
    const bundle = bundleOf(item, { path: '/a.md', text: 'theirs' }, { path: '/d', directory: true });
    expect(await messageOf(importFiles(files, bundle))).toBe(
      "EEXIST: file already exists, '/a.md'. Nothing was imported.",
    );
    expect(await files.stat('/new.md')).toBeUndefined();
    expect(await importFiles(files, bundle, { existing: 'skip' })).toMatchObject({ written: 1, skipped: ['/a.md'] });
    expect((await files.readText('/a.md')).text).toBe('mine');
    expect(await importFiles(files, bundle, { existing: 'overwrite' })).toMatchObject({ written: 2, skipped: [] });
    expect((await files.readText('/a.md')).text).toBe('theirs');
    expect((await files.readText('/d/b.md')).text).toBe('mine');
  });

  it.each([
    [
      { path: '/a.md/x', text: '' },
      "EEXIST: file already exists, '/a.md/x'. '/a.md' is in its way. Nothing was imported.",
    ],
    [{ path: '/A.md', text: '' }, "EEXIST: file already exists, '/A.md'. '/a.md' is in its way. Nothing was imported."],
    [{ path: '/D/x', text: '' }, "EEXIST: file already exists, '/D/x'. '/d' is in its way. Nothing was imported."],
    [{ path: '/d', text: '' }, "EEXIST: file already exists, '/d'. Nothing was imported."],
    [{ path: '/a.md', directory: true }, "EEXIST: file already exists, '/a.md'. Nothing was imported."],
  ])('does not overwrite an entry that a file cannot replace: %j', async (entry, message) => {
    const before = await contentOf(files);
    for (const existing of ['refuse', 'overwrite'] as const) {
      expect(await messageOf(importFiles(files, bundleOf(item, entry), { existing }))).toBe(message);
    }
    expect(await contentOf(files)).toEqual(before);
    const { skipped } = await importFiles(files, bundleOf(item, entry), { existing: 'skip' });
    expect(skipped).toEqual([entry.path]);
    expect(await contentOf(files)).toEqual([...before, ['/new.md', [0x78]]]);
  });

  it('is all or nothing where the files have a batch', async () => {
    const small = createFiles(memoryStorage(), { maxFileBytes: 10 });
    const bundle = bundleOf({ path: '/a', text: 'x' }, { path: '/b', text: 'x'.repeat(11) });
    expect(await messageOf(importFiles(small, bundle))).toMatch(/^EFBIG: file too large, '\/b'/);
    expect((await small.list('/')).entries).toEqual([]);
    await expect(importFiles(small, bundle, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough');
  });
});
