import { createFiles, createRegistry, emptySettings, resolveToolset, runTool } from '@utensil/core';
import { readOnly } from '@utensil/core/files';
import { withOption } from '@utensil/core/settings';
import type { Settings } from '@utensil/core';
import { toolSuite } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it, test } from 'vitest';
import { sketchbookPath, sketchbookTool } from './sketchbook.ts';
import { call, createApp } from './test-kit/notes.ts';

const note = (text: string, name?: string) => call('sketchbook', { note: text, ...(name !== undefined && { name }) });

const nothingStored = withOption(emptySettings, sketchbookTool, ['noStore', true]);

it('[S0-60] [A0-11] adds notes to a file of the chat, or to another one with a name, with a separator between them', async () => {
  const { files, chat } = createApp([sketchbookTool]);
  const script = [note('First.'), note('Second.\n'), note('A rhyme.', 'poem'), note('# Third')];
  const { status, results } = await chat('chat-1', script);
  expect(status).toBe('complete');
  expect(results.map(({ output }) => output)).toEqual(['noted.', 'noted.', 'noted.', 'noted.']);
  await chat('chat-2', [note('Elsewhere.')]);
  expect((await files.readText('/sketchbook/chat-1.md')).text).toBe('First.\n\n---\n\nSecond.\n\n---\n\n# Third\n');
  expect((await files.readText('/sketchbook/chat-1-poem.md')).text).toBe('A rhyme.\n');
  expect((await files.readText('/sketchbook/chat-2.md')).text).toBe('Elsewhere.\n');

  const unstored = createApp([sketchbookTool], { settings: nothingStored });
  const silent = await unstored.chat('chat-1', [note('First.'), note('Second.', 'poem')]);
  expect(silent.results.map(({ output }) => output)).toEqual(['noted.', 'noted.']);
  expect((await unstored.files.list('/')).entries).toEqual([]);
});

it('lands all notes that are made at once, none glued to another', async () => {
  const { files, toolset } = createApp([sketchbookTool]);
  const notes = Array.from({ length: 20 }, (_, index) => `Note ${index}.`);
  const context = { projectId: 'p', threadId: 'chat', runId: 'r', callId: 'c', signal: new AbortController().signal };
  await Promise.all(notes.map((text) => toolset.execute({ name: 'sketchbook', input: { note: text } }, context)));
  const { text } = await files.readText('/sketchbook/chat.md');
  expect(text.trimEnd().split('\n\n---\n\n').toSorted()).toEqual(notes.toSorted());
});

it('stays in its directory, whatever the id of the chat is', () => {
  expect(['../../etc/passwd', '..', 'a/b', 'é', '\ud800'].map((id) => sketchbookPath(id))).toEqual([
    '/sketchbook/..%2F..%2Fetc%2Fpasswd.md',
    '/sketchbook/...md',
    '/sketchbook/a%2Fb.md',
    '/sketchbook/%C3%A9.md',
    '/sketchbook/%EF%BF%BD.md',
  ]);
});

it('refuses a name that is a path, and says so if nothing can be written', async () => {
  const files = createFiles(memoryStorage());
  const wrong = await runTool(sketchbookTool, { note: 'x', name: '../x' }, { host: { files } });
  expect(wrong).toMatchObject({ isError: true, output: expect.stringContaining('name') });
  const { output, isError } = await runTool(sketchbookTool, { note: 'x' }, { host: { files: readOnly(files) } });
  expect({ isError, output }).toEqual({ isError: true, output: expect.stringContaining('EROFS') });
});

it('changes something only where it stores something', async () => {
  const host = { files: createFiles(memoryStorage()) };
  const effectsWith = async (settings: Settings) =>
    (
      await resolveToolset(createRegistry([sketchbookTool]), settings, host).prepare({
        name: 'sketchbook',
        input: { note: 'x' },
      })
    ).effects;
  expect(await effectsWith(emptySettings)).toBe('write');
  expect(await effectsWith(nothingStored)).toBe('read');
});

describe('the suite for every tool', () => {
  toolSuite({ test }, sketchbookTool, {
    host: () => ({ files: createFiles(memoryStorage()) }),
    examples: [{ note: 'One.' }, { note: 'Two.', name: 'draft' }],
  });
});
