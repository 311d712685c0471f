import { openThread } from '@utensil/core';
import { isEnabled } from '@utensil/core/settings';
import type { Message } from '@utensil/core';
import { threadView } from '@utensil/elements/view';
import { expect, it } from 'vitest';
import { grantSeals } from './grant-seals.ts';
import { pageKeyStore } from './key-store.ts';
import { createTools } from './tools.ts';
import { openStorages } from './storage.ts';
import { openVault } from './vault.ts';
import { openProject } from './workspace.ts';
import type { OpenProject } from './workspace.ts';
import type { Storages } from './storage.ts';
import { firstFiles } from './first-files.ts';

/** A conversation as it was stored before there were branches, with a call of a tool that is no more. */
const before: readonly Message[] = [
  { id: '1', role: 'user', parts: [{ type: 'text', text: 'Search for bread' }], createdAt: 1 },
  {
    id: '2',
    role: 'assistant',
    parts: [
      {
        type: 'tool-call',
        callId: 'c',
        name: 'bread_search',
        input: { query: 'bread' },
        executedBy: 'us',
        title: 'Search “bread”',
        icon: '🍞',
      },
    ],
    createdAt: 2,
  },
  {
    id: '3',
    role: 'tool',
    parts: [
      {
        type: 'tool-result',
        callId: 'c',
        name: 'bread_search',
        output: ['rye'],
        modelParts: [{ type: 'text', text: 'rye' }],
        isError: false,
      },
    ],
    createdAt: 3,
  },
  { id: '4', role: 'assistant', parts: [{ type: 'text', text: 'Rye.' }], createdAt: 4 },
];

it('[S1-26] keeps what older versions stored: settings, conversations, and how results look', async () => {
  const storages = await openStorages(); // in memory: there is no IndexedDB here
  const { records } = storages.project('first');
  const oldState = { theme: 'dark', toolEnabled_web_search: true, toolEnabled_open_link: false };
  await records.put(['settings', 'first'], oldState);
  const registry = createTools();
  const vault = await openVault(storages.app, pageKeyStore());
  const project = { id: 'first', name: 'First', createdAt: 0 };
  const opened = await openProject(project, { storages, registry, vault, seals: grantSeals(pageKeyStore()) });

  const on = registry.snapshot().filter((tool) => isEnabled(opened.settings.current(), tool));
  expect(on.map(({ name }) => name)).toContain('web_search');
  expect(on.map(({ name }) => name)).not.toContain('open_link');
  expect(opened.settings.current()).toMatchObject({ theme: 'dark' });

  const thread = openThread(records, 'old');
  for (const message of before) await thread.append([{ type: 'message', message }]);
  const conversation = opened.conversation('old');
  await conversation.reload();
  expect(conversation.state()).toMatchObject({ messages: before, isUnfinished: false });
  const [, asked] = threadView(conversation.state().messages).messages;
  expect(asked?.items[0]).toMatchObject({
    type: 'call',
    call: { title: 'Search “bread”', icon: '🍞', status: 'done', result: { output: ['rye'], isError: false } },
  });
});

async function opened(storages: Storages, id: string): Promise<OpenProject> {
  const vault = await openVault(storages.app, pageKeyStore());
  const setup = { storages, registry: createTools(), vault, seals: grantSeals(pageKeyStore()) };
  return openProject({ id, name: 'Any', createdAt: 0 }, setup);
}

async function pathsOf({ files }: Pick<OpenProject, 'files'>): Promise<readonly string[]> {
  const { entries } = await files.list('/', { depth: 9 });
  return entries.flatMap(({ path, kind }) => (kind === 'file' ? [path] : [])).toSorted();
}

it('gives a new project its first files once, in one turn that can be undone', async () => {
  const storages = await openStorages();
  const project = await opened(storages, 'new');
  expect(await pathsOf(project)).toEqual(Object.keys(firstFiles).toSorted());
  const [version] = await project.storage.history.versions('/notes/shopping.md');
  expect(version).toMatchObject({ author: { actor: 'demo', turn: 'first-files' } });
  await project.storage.history.undo('first-files');
  expect(await pathsOf(project)).toEqual([]);
  expect(await pathsOf(await opened(storages, 'new'))).toEqual([]);
});

it('puts nothing into a project that has a file or a conversation', async () => {
  const storages = await openStorages();
  const { files } = storages.project('used');
  await files.write('/notes/shopping.md', 'mine');
  const used = await opened(storages, 'used');
  expect(await pathsOf(used)).toEqual(['/notes/shopping.md']);
  await openThread(storages.project('talked').records, 'old').append([
    { type: 'message', message: before[0] as Message },
  ]);
  expect(await pathsOf(await opened(storages, 'talked'))).toEqual([]);
});
