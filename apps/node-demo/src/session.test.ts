import * as promises from 'node:fs/promises';
import { join } from 'node:path';
import {
  messagesOf,
  createRegistry,
  createToolStats,
  defineTool,
  emptySettings,
  jsonSchema,
  option,
  resolveToolset,
} from '@utensil/core';
import { expect, it } from 'vitest';
import { createSession } from './session.ts';
import { temporaryFolder } from './test-kit/spawn-demo.ts';
import { describeTools, setOption, type ToolSession } from './tool-settings.ts';
import { folderProblem, storageAdvice, openWorkspace } from './workspace.ts';

/** A disk that takes no more writes from the moment it is full. */
function fillableDisk() {
  let isFull = false;
  const full = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
  const open: typeof promises.open = (path, flags = 'r', mode) =>
    isFull && flags !== 'r' && typeof flags === 'string' ? full() : promises.open(path, flags, mode);
  const writeFile: typeof promises.writeFile = (...written) => (isFull ? full() : promises.writeFile(...written));
  const mkdir = ((...made: Parameters<typeof promises.mkdir>) =>
    isFull ? full() : promises.mkdir(...made)) as typeof promises.mkdir;
  return {
    fs: { ...promises, open, writeFile, mkdir },
    setFull: (value: boolean): void => void (isFull = value),
  };
}

it('tells that the disk is full, loses nothing, and goes on when it is not', async () => {
  await using folder = await temporaryFolder();
  const { fs, setFull } = fillableDisk();
  const workspace = await openWorkspace(folder.path, { fs });
  const session = createSession({ workspace, env: {}, yes: true, interactive: false, warn: () => {} });
  const send = (text: string) => session.send(text)(new AbortController().signal).result;
  expect(await send('write a.md: one')).toMatchObject({ status: 'complete' });
  setFull(true);
  const { status, error } = await send('write a.md: two');
  expect({ status, code: error?.code }).toEqual({ status: 'error', code: 'ENOSPC' });
  setFull(false);
  expect(await promises.readFile(join(folder.path, 'a.md'), 'utf8')).toBe('one\n');
  expect(await send('read a.md')).toMatchObject({
    status: 'complete',
    text: expect.stringContaining('```output\none\n```'),
  });
  expect(await messagesOf(session.thread())).toHaveLength(8);
});

it('says what is wrong with a folder', () => {
  const refused = (code: string): unknown => folderProblem('/x', Object.assign(new Error(code), { code }));
  expect(refused('ENOENT')).toMatchObject({ message: 'There is no folder /x: make it, or name another.' });
  expect(refused('EACCES')).toMatchObject({
    message: 'The folder /x may not be read: change its permissions, or name another.',
  });
  expect(refused('EIO')).toMatchObject({
    message: '/x cannot be used as a folder (the system says EIO): name another.',
  });
});

it('repeats no secret', async () => {
  const search = defineTool({
    name: 'search',
    description: 'Searches.',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    options: { apiKey: option.secret({ label: 'API key' }) },
  });
  await using folder = await temporaryFolder();
  const workspace = await openWorkspace(folder.path);
  const registry = createRegistry([search]);
  const toolset = () => resolveToolset(registry, emptySettings, {});
  const session: ToolSession = { workspace, registry, toolset, stats: createToolStats() };
  expect(describeTools(session)).toContainEqual(['     apiKey (secret)', 'API key']);
  const refused = await setOption(session, ['search', 'apiKey', 'hunter2']).catch(String);
  expect(refused).toContain('Option "apiKey" is a secret');
  expect(refused).not.toContain('hunter2');
  expect(JSON.stringify(workspace.settings.current())).not.toContain('hunter2');
});

it('takes lists of models with commas between them', async () => {
  const helper = defineTool({
    name: 'helper',
    description: 'Helps.',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    options: { models: option.modellist({ label: 'Models' }) },
  });
  await using folder = await temporaryFolder();
  const workspace = await openWorkspace(folder.path);
  const registry = createRegistry([helper]);
  const toolset = () => resolveToolset(registry, emptySettings, {});
  const session: ToolSession = { workspace, registry, toolset, stats: createToolStats() };
  const set = (...words: readonly string[]) => setOption(session, ['helper', 'models', ...words]);
  expect(await set('fast,', 'thorough')).toBe('models of helper is ["fast","thorough"].');
  expect(describeTools(session)).toContainEqual(['     models ["fast","thorough"]', 'Models']);
  await expect(set('fast,fast')).rejects.toThrow('must be a list of ids of models, each of them once');
  expect(await set(',')).toBe('models of helper is [].');
});

it('says where conversations are kept when one could not be stored', () => {
  const place = { folder: '/project' };
  expect(storageAdvice(place, 'EROFS')).toContain('/project/.utensil: see that it can be written');
  expect(storageAdvice(place, 'model_failed')).toBeUndefined();
});
