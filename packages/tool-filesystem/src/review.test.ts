import {
  createFiles,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  permissions,
  resolveToolset,
  run,
} from '@utensil/core';
import type { Files, RunOptions } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import type { ScriptedTurn } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { filesystemTool } from './filesystem.ts';

const readPage = defineTool({
  name: 'read_page',
  description: 'Reads a page.',
  input: jsonSchema({ type: 'object' }),
  effects: 'read',
  openWorld: true,
  execute: () => 'A page.',
});

/** Plays a script with the tool and approves every question. Returns the calls judged as tainted. */
async function play(
  files: Files,
  script: readonly ScriptedTurn[],
  more: Partial<RunOptions> = {},
): Promise<readonly string[]> {
  const tainted = new Set<string>(); // a policy is asked again once a person has answered
  const toolset = resolveToolset(createRegistry([filesystemTool, readPage]), emptySettings, { files });
  const played = run({
    model: scriptedModel(script),
    toolset,
    messages: 'Go.',
    ...more,
    policy: (request) => {
      if (request.tainted) tainted.add(String(request.input['command'] ?? request.name));
      return more.policy?.(request) ?? 'allow';
    },
  });
  for await (const event of played.events())
    if (event.type === 'approval-request') played.answer(event.questionId, 'once');
  await played.result;
  return [...tainted];
}

const create = { name: 'filesystem', input: { command: 'create', path: '/a.md', file_text: 'What the page said.' } };
const add = { name: 'filesystem', input: { command: 'append', path: '/a.md', file_text: 'And more.' } };
const writing: readonly ScriptedTurn[] = [{ calls: [{ name: 'read_page' }] }, { calls: [create] }, {}];
const reading: readonly ScriptedTurn[] = [
  { calls: [{ name: 'filesystem', input: { command: 'view', path: '/a.md' } }] },
  { calls: [{ name: 'filesystem', input: { command: 'delete', path: '/a.md' } }] },
  {},
];

it('what a tainted run writes unasked taints the run that reads it', async () => {
  const files = createFiles(memoryStorage());
  await play(files, writing);
  expect(await play(files, reading)).toEqual(['delete']);
});

it('what a person has seen as a diff and allowed was tainted all the same', async () => {
  const files = createFiles(memoryStorage());
  expect(await play(files, writing, { policy: permissions('write') })).toEqual(['create']);
  expect(await play(files, reading)).toEqual([]);
});

it('a diff that a person has allowed does not clean the rest of a file', async () => {
  const files = createFiles(memoryStorage());
  await play(files, writing);
  await play(files, [{ calls: [add] }, {}], { policy: permissions('write') });
  expect(await play(files, reading)).toEqual(['delete']);
});
