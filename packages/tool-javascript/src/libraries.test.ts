import { createFiles } from '@utensil/core';
import type { Files } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { readLibraries } from './libraries.ts';

it('reads no file that is too large to be a library: all of it was read, and then left out', async () => {
  const own = createFiles(memoryStorage());
  for (const name of ['a', 'b', 'huge']) await own.write(`/lib/${name}.js`, `globalThis.${name} = 1`);
  const read: string[] = [];
  const files: Files = {
    ...own,
    async list(path, options) {
      const page = await own.list(path, options);
      const entries = page.entries.map((entry) => (/huge/.test(entry.path) ? { ...entry, size: 1e9 } : entry));
      return { ...page, entries };
    },
    read: (path) => (read.push(path), own.read(path)),
  };
  const { libraries } = await readLibraries(files, ['/lib']);
  expect(libraries.map(({ name }) => name)).toEqual(['/lib/a.js', '/lib/b.js']);
  expect(read).toEqual(['/lib/a.js', '/lib/b.js']);
});
