import { createFiles, createRegistry, emptySettings, permissions, resolveToolset, run } from '@utensil/core';
import type { Preview, ProjectFiles } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { filesystemTool } from './filesystem.ts';

const host = async () => {
  const files = createFiles(memoryStorage());
  await files.write('/a.txt', 'one\ntwo\n');
  await files.write('/d/b.txt', 'b');
  await files.write('/d/c.bin', new Uint8Array([0, 255, 1]));
  return files;
};

/** The preview of a command, and whether it changed anything. */
async function previewOf(input: Record<string, string | number>, files?: ProjectFiles): Promise<Preview | undefined> {
  files ??= await host();
  const before = await files.usage();
  const asked = run({
    model: scriptedModel([{ calls: [{ name: 'filesystem', input }] }, {}]),
    toolset: resolveToolset(createRegistry([filesystemTool]), emptySettings, { files }),
    messages: 'Go.',
    policy: permissions('write'),
  });
  for await (const event of asked.events()) {
    if (event.type !== 'approval-request') continue;
    expect(await files.usage()).toEqual(before);
    asked.answer(event.questionId, 'deny');
    return event.preview as Preview | undefined;
  }
  throw new Error('Nothing was asked.');
}

it.each<[Record<string, string | number>, Preview['changes']]>([
  [{ command: 'create', path: 'new.txt', file_text: 'new' }, [{ path: '/new.txt', after: 'new' }]],
  [
    { command: 'str_replace', path: '/a.txt', old_str: 'two', new_str: '$&2' },
    [{ path: '/a.txt', before: 'one\ntwo\n', after: 'one\n$&2\n' }],
  ],
  [
    { command: 'insert', path: '/a.txt', insert_line: 0, insert_text: 'zero' },
    [{ path: '/a.txt', before: 'one\ntwo\n', after: 'zero\none\ntwo\n' }],
  ],
  [
    { command: 'append', path: '/a.txt', file_text: 'three' },
    [{ path: '/a.txt', before: 'one\ntwo\n', after: 'one\ntwo\nthree' }],
  ],
  [
    { command: 'rename', old_path: '/a.txt', new_path: '/z.txt' },
    [
      { path: '/a.txt', before: 'one\ntwo\n' },
      { path: '/z.txt', after: 'one\ntwo\n' },
    ],
  ],
])('[D4-11] shows what %j would change, and changes nothing', async (input, changes) => {
  expect(await previewOf(input)).toMatchObject({ type: 'changes', changes });
});

it('shows every file of a directory that would be deleted, and of one that is not text what it is', async () => {
  const preview = await previewOf({ command: 'delete', path: '/d' });
  expect(preview?.changes.map(({ path, after }) => [path, after])).toEqual([
    ['/d/b.txt', undefined],
    ['/d/c.bin', undefined],
  ]);
  expect(preview?.changes[1]?.before).toMatch(/^\(binary, 3 bytes, /);
});

it('has nothing to show of a command that would be refused', async () => {
  expect(await previewOf({ command: 'str_replace', path: '/a.txt', old_str: 'nine', new_str: '9' })).toBeUndefined();
});

it('shows of a long file what changes, with a little around it', async () => {
  const files = createFiles(memoryStorage());
  await files.write('/a.txt', `${'a line\n'.repeat(50_000)}old\n${'a line\n'.repeat(50_000)}`);
  const input = { command: 'str_replace', path: '/a.txt', old_str: 'old', new_str: 'new' };
  const shown = await filesystemTool.preview?.(input, { noLineNumbers: false }, { projectId: 'any', host: { files } });
  expect(JSON.stringify(shown).length).toBeLessThan(10_000);
  expect(shown).toMatchObject({
    changes: [{ path: '/a.txt', before: expect.stringContaining('a line\nold\na line') }],
  });
});

it('compares with the file that the command would change, not with what it was before somebody else wrote', async () => {
  const files = await host();
  const batch: ProjectFiles['batch'] = async (work) => {
    await files.write('/a.txt', 'ONE\ntwo\n');
    return files.batch(work);
  };
  const input = { command: 'append', path: '/a.txt', file_text: 'three' };
  const changes = [{ path: '/a.txt', before: 'ONE\ntwo\n', after: 'ONE\ntwo\nthree' }];
  expect(await previewOf(input, { ...files, batch })).toMatchObject({ changes });
});
