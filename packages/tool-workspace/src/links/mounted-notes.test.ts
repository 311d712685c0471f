import { mountFiles, readOnly } from '@utensil/core/files';
import { expect, it } from 'vitest';
import { filesOf, move, textAt } from '../test-kit/moved-notes.ts';

it('leaves notes that are read-only as they are, names them, and moves', async () => {
  const view = readOnly(await filesOf({ 'x.md': 'x', 'a.md': '[[x]]', 'private/n.md': '[[x]]' }), '/private');
  expect(await move(view, 'x.md', 'y.md')).toBe(
    "Moved 'x.md' to 'y.md'\nUpdated 1 link(s) in 1 file(s): a.md (1)\nLinks were not updated in these files, because they cannot be written: private/n.md",
  );
  expect(await textAt(view, '/private/n.md')).toBe('[[x]]');
  const mounted = mountFiles(await filesOf({ 'x.md': 'x' }), { '/m': readOnly(await filesOf({ 'n.md': '[[x]]' })) });
  expect(await move(mounted, 'x.md', 'y.md')).toBe(
    "Moved 'x.md' to 'y.md'\nLinks were not updated in these files, because they cannot be written: m/n.md",
  );
});

it('updates the links of all mounts, also after a move from one to another', async () => {
  const files = mountFiles(await filesOf({ 'x.md': 'x', 'a.md': '[[x]]' }), {
    '/m': await filesOf({ 'n.md': '[x](../x.md)' }),
  });
  await move(files, 'x.md', 'y.md');
  expect(await textAt(files, '/m/n.md')).toBe('[x](../y.md)');
  expect(await move(files, 'y.md', 'm/z.md')).toContain('Updated 2 link(s) in 2 file(s): a.md (1), m/n.md (1)');
  expect([await textAt(files, '/a.md'), await textAt(files, '/m/n.md')]).toEqual(['[[z]]', '[x](z.md)']);
});
