import { createFiles, runTool, textOf } from '@utensil/core';
import type { Files } from '@utensil/core';
import { mountFiles, readOnly } from '@utensil/core/files';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { moveTool, projectsOf } from '../index.ts';

async function filesOf(contents: Readonly<Record<string, string>>) {
  const files = createFiles(memoryStorage());
  for (const [path, content] of Object.entries(contents)) await files.write(`/${path}`, content);
  return files;
}

async function move(files: Files, from: string, to: string): Promise<string> {
  const host = { projects: projectsOf({ app: { files } }) };
  return textOf((await runTool(moveTool, { from, to }, { host, options: { updateLinks: true } })).modelParts);
}

async function textAt(files: Files, path: string): Promise<string> {
  return (await files.readText(path)).text;
}

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
