import { memoryStorage } from '@utensil/storage-memory';
import { beforeEach, expect, it } from 'vitest';
import { createFiles } from '../create-files.ts';
import type { ProjectFiles } from '../files.ts';

let files: ProjectFiles;
beforeEach(async () => {
  files = createFiles(memoryStorage());
  await files.write('/kept.md', 'kept');
});

it.each<[string, () => Promise<unknown>]>([
  ['made', () => files.makeDirectory('/new/.utensil')],
  ['made by its short name', () => files.makeDirectory('/UTENSI~1')],
  ['made in another spelling', () => files.makeDirectory('/.Utensil ')],
  ['made in a batch', () => files.batch((all) => all.makeDirectory('/.utensil'))],
  ['written below', () => files.write('/.utensil/state', 'x')],
  ['appended to', () => files.append('/d/.utensil', 'x')],
  ['moved to', () => files.move('/kept.md', '/.utensil')],
  ['copied to', () => files.copy('/kept.md', '/.utensil')],
])('refuses the reserved name as a directory does, if it is %s', async (_, change) => {
  await expect(change()).rejects.toMatchObject({
    code: 'EACCES',
    message: expect.stringContaining('reserved') as string,
  });
  expect((await files.list('/', { depth: 9 })).entries.map(({ path }) => path)).toEqual(['/kept.md']);
});

it('looks for nothing under the reserved name', async () => {
  expect(await files.stat('/.utensil/state')).toBeUndefined();
  await expect(files.readText('/.utensil/state')).rejects.toMatchObject({ code: 'ENOENT' });
});
