// Finding files, and text in them: over a storage that keeps every promise.

import { memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFiles } from '../create-files.ts';
import { fileError } from '../file-error.ts';
import type { Files } from '../files.ts';
import { findFiles } from './find-files.ts';
import { searchFiles } from './search-files.ts';
import type { SearchHit, SearchOptions, SearchResult } from './search-files.ts';

let files: Files;
beforeEach(() => {
  files = createFiles(memoryStorage(), { now: () => 1000 });
});

async function search(options: SearchOptions, over = files): Promise<readonly SearchResult[]> {
  const results: SearchResult[] = [];
  for await (const result of searchFiles(over, options)) results.push(result);
  return results;
}

/** Each hit as `path:line:column`. */
async function places(options: SearchOptions, over = files): Promise<readonly string[]> {
  return (await search(options, over)).map((found) =>
    found.type === 'hit' ? `${found.path}:${found.line}:${found.column}` : found.type,
  );
}

describe('findFiles', () => {
  beforeEach(async () => {
    for (const path of ['/a.md', '/src/a.ts', '/src/b.md', '/src/x/c.ts', '/src.md']) await files.write(path, 'x');
    await files.makeDirectory('/src/empty.ts');
  });

  const pathsOf = async (options: Parameters<typeof findFiles>[1]) =>
    (await findFiles(files, options)).entries.map(({ path }) => path);

  it('finds files, not directories, in the order of paths', async () => {
    expect(await pathsOf({})).toEqual(['/a.md', '/src/a.ts', '/src/b.md', '/src/x/c.ts', '/src.md']);
    expect(await pathsOf({ glob: '*.ts' })).toEqual(['/src/a.ts', '/src/x/c.ts']);
    expect(await pathsOf({ glob: 'x/*', under: '/src' })).toEqual(['/src/x/c.ts']);
    expect(await pathsOf({ glob: '*.md', under: '/src/b.md' })).toEqual(['/src/b.md']);
    expect(await pathsOf({ glob: '*.ts', under: '/src/b.md' })).toEqual([]);
    await expect(pathsOf({ under: '/srv' })).rejects.toThrow(
      "ENOENT: no such file or directory, '/srv'. Nearest: '/src'.",
    );
    await expect(pathsOf({ glob: '{' })).rejects.toThrow(/^EINVAL: invalid pattern, '\{'/);
  });

  it('gives a page at a time, each going on where the one before ended', async () => {
    const first = await findFiles(files, { glob: '*.md', limit: 2 });
    expect(first).toMatchObject({ entries: [{ path: '/a.md' }, { path: '/src/b.md' }], next: '/src/b.md' });
    const second = await findFiles(files, { glob: '*.md', limit: 2, after: '/src/b.md' });
    expect(second).toEqual({ entries: [{ path: '/src.md', kind: 'file', size: 1, modifiedAt: 1000 }] });
    expect(await findFiles(files, { glob: '*.md', limit: 3 })).not.toHaveProperty('next');
  });

  it('stops when it is told to', async () => {
    await expect(findFiles(files, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough');
  });
});

describe('searchFiles', () => {
  it('returns line number, column, the line and its surroundings', async () => {
    await files.write('/b.md', 'one\ntwo milk\nthree\n');
    await files.write('/a/x.md', 'milk and milk');
    expect(await search({ text: 'milk', context: 1 })).toEqual([
      { type: 'hit', path: '/a/x.md', line: 1, column: 1, text: 'milk and milk', before: [], after: [] },
      { type: 'hit', path: '/b.md', line: 2, column: 5, text: 'two milk', before: ['one'], after: ['three'] },
    ]);
    expect(await places({ text: 'milk', glob: '*.txt' })).toEqual([]);
    expect(await places({ text: 'milk', under: '/a' })).toEqual(['/a/x.md:1:1']);
    expect(await places({ text: 'milk', under: '/b.md' })).toEqual(['/b.md:2:5']);
  });

  it('takes the text unchanged, and refuses an empty one', async () => {
    await files.write('/a', 'a.c (.*)+ $& [x\nabc');
    expect(await places({ text: 'a.c' })).toEqual(['/a:1:1']);
    expect(await places({ text: '(.*)+ $& [' })).toEqual(['/a:1:5']);
    await expect(search({ text: '' })).rejects.toThrow('EINVAL: invalid argument. The text to find is empty.');
  });

  it('finds a text of several lines, however the file ends its lines', async () => {
    await files.write('/crlf', 'a\r\nb\r\nc\r\n');
    await files.write('/lf', 'x\na\nb\n');
    await files.write('/mixed', 'x\r\na\nb');
    expect(await places({ text: 'a\nb' })).toEqual(['/crlf:1:1', '/lf:2:1', '/mixed:2:1']);
    expect(await places({ text: '\n\n' })).toEqual([]);
    expect(await search({ text: 'b', under: '/crlf', context: 2 })).toMatchObject([
      { line: 2, text: 'b', before: ['a'], after: ['c'] },
    ]);
  });

  it('ignores case if told to, in letters that have none of the same length too', async () => {
    await files.write('/a', 'İstanbul ΟΔΟΣ\nStraße MILK');
    expect(await places({ text: 'milk' })).toEqual([]);
    expect(await places({ text: 'milk', ignoreCase: true })).toEqual(['/a:2:8']);
    expect(await places({ text: 'οδος', ignoreCase: true })).toEqual(['/a:1:10']);
    expect(await places({ text: 'ΟΔΟσ', ignoreCase: true })).toEqual(['/a:1:10']);
    expect(await places({ text: 'ISTANBUL ο', ignoreCase: true })).toEqual(['/a:1:1']);
  });

  it('reads UTF-16 and marks, and passes over what is not text', async () => {
    await files.write('/binary', Uint8Array.of(0x6d, 0x69, 0x6c, 0x6b, 0));
    await files.write('/latin1', Uint8Array.of(0x6d, 0x69, 0x6c, 0x6b, 0xe9));
    await files.write('/marked', '\ufeffmilk');
    await files.write('/utf16', Uint8Array.from(Buffer.from('\ufeffa\nmilk', 'utf16le')));
    expect(await places({ text: 'milk' })).toEqual(['/marked:1:1', '/utf16:2:1']);
    expect(await places({ text: 'MILK', ignoreCase: true })).toEqual(['/marked:1:1', '/utf16:2:1']);
  });

  it('cuts long lines around the place, and no character in halves', async () => {
    await files.write('/a', `${'😀'.repeat(500)}milk${'😀'.repeat(500)}\n${'x'.repeat(1000)}`);
    const [hit] = (await search({ text: 'milk', context: 1 })) as SearchHit[];
    expect(hit?.text).toMatch(/^…(?:😀){50}milk(?:😀){148}…$/u);
    expect(hit?.after).toEqual([`${'x'.repeat(400)}…`]);
    expect(hit?.column).toBe(1001);
  });

  it('says which files are too large or cannot be read', async () => {
    await files.write('/a', 'milk');
    await files.write('/b', 'milk milk');
    await files.write('/c', 'milk');
    const locked: Files = {
      ...files,
      read: async (path, range) => {
        if (path === '/c') throw fileError('EACCES', path);
        return files.read(path, range);
      },
    };
    expect(await search({ text: 'milk', maxFileBytes: 4 }, locked)).toMatchObject([
      { type: 'hit', path: '/a' },
      { type: 'skipped', path: '/b', size: 9, reason: 'too-large' },
      { type: 'skipped', path: '/c', size: 4, reason: 'unreadable' },
    ]);
  });

  it('says at its limit whether there is more', async () => {
    await files.write('/a', 'milk\nmilk\n');
    await files.write('/b', 'milk');
    expect(await places({ text: 'milk', limit: 1 })).toEqual(['/a:1:1', 'more']);
    expect(await places({ text: 'milk', limit: 2 })).toEqual(['/a:1:1', '/a:2:1', 'more']);
    expect(await places({ text: 'milk', limit: 3 })).toEqual(['/a:1:1', '/a:2:1', '/b:1:1']);
  });

  it('passes over files that vanish meanwhile, and throws what else goes wrong', async () => {
    for (const path of ['/a', '/b', '/c']) await files.write(path, 'milk');
    const failing = (code: 'ENOENT' | 'EIO'): Files => ({
      ...files,
      read: async (path, range) => {
        if (path === '/b') throw fileError(code, path);
        return files.read(path, range);
      },
    });
    expect(await places({ text: 'milk' }, failing('ENOENT'))).toEqual(['/a:1:1', '/c:1:1']);
    await expect(search({ text: 'milk' }, failing('EIO'))).rejects.toThrow(/^EIO/);
  });

  it('keeps the order of paths and reads 24 files at once, whichever comes first', async () => {
    const paths = Array.from({ length: 60 }, (_, index) => `/${String(index).padStart(2, '0')}`);
    for (const path of paths) await files.write(path, 'milk');
    const open: (() => void)[] = [];
    let most = 0;
    const slow: Files = {
      ...files,
      async read(path, range) {
        await new Promise<void>((resolve) => {
          most = Math.max(most, open.push(resolve));
          // The last of those that wait is the first to go on, once no more come.
          setTimeout(() => open.pop()?.());
        });
        return files.read(path, range);
      },
    };
    expect(await places({ text: 'milk' }, slow)).toEqual(paths.map((path) => `${path}:1:1`));
    expect(most).toBe(24);
  });

  it('stops when told to, even if a storage never waits', async () => {
    for (let index = 0; index < 300; index++) await files.write(`/${index}`, 'x'.repeat(1000));
    const controller = new AbortController();
    let reads = 0;
    const endless: Files = {
      ...files,
      async read(path, range) {
        reads++;
        const end = performance.now() + 1;
        while (performance.now() < end);
        return files.read(path, range);
      },
    };
    setTimeout(() => controller.abort(new Error('enough')));
    await expect(search({ text: 'milk', signal: controller.signal }, endless)).rejects.toThrow('enough');
    expect(reads).toBeLessThan(300);
    await expect(search({ text: 'milk', signal: AbortSignal.abort('before') })).rejects.toBe('before');
  });

  it('finds what a naive search does', async () => {
    const piece = fc.constantFrom('a', 'b', 'A', 'é', '😀', ' ', '\n', '\r\n', 'ab', '\n\n');
    const text = (maxLength: number) => fc.array(piece, { maxLength }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(
        fc.array(text(30), { maxLength: 4 }),
        text(3).filter((wanted) => wanted !== '' && !wanted.includes('\n')),
        fc.boolean(),
        fc.nat(3),
        async (contents, wanted, ignoreCase, context) => {
          const some = createFiles(memoryStorage());
          for (const [index, content] of contents.entries()) await some.write(`/${index}`, content);
          expect(await search({ text: wanted, ignoreCase, context }, some)).toEqual(
            contents.flatMap((content, index) => naive(`/${index}`, content, { wanted, ignoreCase, context })),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});

interface Naive {
  readonly wanted: string;
  readonly ignoreCase: boolean;
  readonly context: number;
}

/** Line by line. */
function naive(path: string, content: string, { wanted, ignoreCase, context }: Naive): readonly SearchHit[] {
  const lines = content.split(/\r?\n/);
  const last = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  return lines.flatMap((text, index) => {
    const column = fold(text).indexOf(fold(wanted)) + 1;
    const before = lines.slice(Math.max(index - context, 0), index);
    const after = lines.slice(index + 1, Math.min(index + 1 + context, last));
    return column === 0 ? [] : [{ type: 'hit', path, line: index + 1, column, text, before, after }];
  });
}
