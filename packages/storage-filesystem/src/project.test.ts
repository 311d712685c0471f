// Settings and threads on a real disk that gets damaged.

import { appendFile, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  messagesOf,
  createRecords,
  createRegistry,
  emptySettings,
  defineTool,
  jsonSchema,
  openSettings,
  openThread,
  option,
  resolveToolset,
  run,
} from '@utensil/core';
import { listThreads } from '@utensil/core/thread';
import { isEnabled, withEnabled, withOption } from '@utensil/core/settings';
import type { RecordStore, Tool } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { filesystemStorage } from './filesystem.ts';

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'utensil-'))));
afterEach(() => rm(root, { recursive: true }));

/** Opens them as another process would. */
const open = (): RecordStore => createRecords(filesystemStorage(root));

const tool = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: name,
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => name,
    ...more,
  });

const search = tool('search', { options: { depth: option.number({ label: 'Depth', default: 1 }) } });

/** The one file of a pattern below the records. */
async function fileOf(pattern: string): Promise<string> {
  for await (const path of glob(`.utensil/records/${pattern}`, { cwd: root })) return join(root, path);
  throw new Error(`no ${pattern}`);
}

it('[A3-01] registers, overrides, unregisters and comes back to what was stored, however late a tool comes', async () => {
  const settings = await openSettings(open(), 'p');
  const offered = (registry = createRegistry()): string =>
    resolveToolset(registry, settings.current(), {})
      .definitions({ api: 'text' })
      .map(({ name }) => name)
      .join(' ');
  const registry = createRegistry([tool('a')]);
  expect(() => registry.register(tool('a'))).toThrow('Use override: true');
  registry.register(tool('a', { title: 'Newer' }), { override: true });
  await settings.update((current) => withEnabled(withOption(current, search, ['depth', 3]), search, false));
  registry.register(search);
  expect(offered(registry)).toBe('a');
  registry.unregister('search');
  await settings.update((current) => withEnabled(current, search, true));
  registry.register(search);
  expect(offered(registry)).toBe('a search');
  expect((await openSettings(open(), 'p')).current().tools['search']).toEqual({ enabled: true, options: { depth: 3 } });
});

it.each([
  ['is no JSON', '{"version": 1, "tools": {"search": {"ena'],
  ['is empty', ''],
  ['is another document', '["not", "settings"]'],
])('[A3-01] sets settings aside that a person has damaged (%s), says so, and loses nothing', async (_, damage) => {
  await (await openSettings(open(), 'p')).update((current) => withEnabled(current, search, false));
  await writeFile(await fileOf('settings/*.json'), damage);
  const settings = await openSettings(open(), 'p');
  expect(settings.problem?.message).toMatch(
    /^The settings of "p" could not be read\. They were put aside as .*corrupt/,
  );
  expect(isEnabled(settings.current(), search)).toBe(true);
  await settings.update((current) => withEnabled(current, search, false));
  expect(await readFile(await fileOf('settings/*.corrupt-*'), 'utf8')).toBe(damage);
  expect(isEnabled((await openSettings(open(), 'p')).current(), search)).toBe(false);
});

it('leaves settings of a newer version unchanged', async () => {
  await (await openSettings(open(), 'p')).update((current) => withEnabled(current, search, false));
  const path = await fileOf('settings/*.json');
  await writeFile(path, '{"version":9,"tools":{}}');
  await expect(openSettings(open(), 'p')).rejects.toMatchObject({ code: 'settings_newer' });
  expect(await readFile(path, 'utf8')).toBe('{"version":9,"tools":{}}');
});

it('two who change settings at once both have their way', async () => {
  const [one, two] = await Promise.all([openSettings(open(), 'p'), openSettings(open(), 'p')]);
  await Promise.all([
    one.update((current) => withEnabled(current, tool('a'), false)),
    two.update((current) => withEnabled(current, tool('b'), false)),
  ]);
  expect((await openSettings(open(), 'p')).current().tools).toEqual({ a: { enabled: false }, b: { enabled: false } });
});

it('a thread goes on in another process, and one damaged record does not take the others with it', async () => {
  const toolset = resolveToolset(createRegistry([search]), emptySettings, {});
  const script = [{ calls: [{ name: 'search' }] }, { text: 'Found.' }];
  const first = run({
    model: scriptedModel(script),
    toolset,
    thread: openThread(open(), 't'),
    messages: 'Find it.\nPlease.',
  });
  const { messages } = await first.result;
  expect(await messagesOf(openThread(open(), 't'))).toEqual(messages);
  expect(await listThreads(open())).toMatchObject([{ id: 't', title: 'Find it. Please.' }]);

  const damaged = await fileOf('threads/t/messages/*4.json'); // the turn with its result, behind the beginning of the run and its message
  await appendFile(damaged, '}');
  const problems: string[] = [];
  const thread = openThread(open(), 't', { warn: ({ code }) => problems.push(code) });
  const model = scriptedModel([{ text: 'Again.' }]);
  expect((await run({ model, toolset, thread, messages: 'And?' }).result).status).toBe('complete');
  expect(problems).toEqual(['record_corrupt']);
  expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ]);
  expect(await readFile(damaged, 'utf8')).toMatch(/\}\n\}$/);
});

it('a message that a tool rewrote is stored again, and read once', async () => {
  const thread = openThread(open(), 't');
  const message = { id: '1', role: 'user', parts: [{ type: 'text', text: 'a' }], createdAt: 0 } as const;
  await thread.append([{ type: 'message', message }]);
  await thread.append([{ type: 'message', message: { ...message, id: '2' } }]);
  await thread.append([{ type: 'revision', message: { ...message, parts: [{ type: 'text', text: 'b' }] } }]);
  const read = await messagesOf(openThread(open(), 't'));
  expect(read.map(({ id, parts }) => [id, parts[0]])).toEqual([
    ['1', { type: 'text', text: 'b' }],
    ['2', { type: 'text', text: 'a' }],
  ]);
});

it('ids of threads and projects may be any text, and none reaches out of the records', async () => {
  const records = open();
  const ids = ['../../evil', 'a/b', 'A', 'a', '', '.', 'ünï', '%2e', 'x'.repeat(400)];
  for (const id of ids)
    await openThread(records, id).append([
      { type: 'message', message: { id: '1', role: 'user', parts: [{ type: 'text', text: id }], createdAt: 1 } },
    ]);
  expect((await listThreads(records)).map(({ id }) => id).sort()).toEqual([...ids].sort());
  for (const id of ids) expect(await messagesOf(openThread(open(), id))).toMatchObject([{ parts: [{ text: id }] }]);
});

it('a server went on using a tool that another program had switched off in the directory', async () => {
  const [server, screen] = [await openSettings(open(), 'p'), await openSettings(open(), 'p')];
  await screen.update((current) => withEnabled(current, search, false));
  await expect.poll(() => isEnabled(server.current(), search)).toBe(false);
  await screen.update((current) => withEnabled(current, search, true));
  await expect.poll(() => isEnabled(server.current(), search)).toBe(true);
  await server.close();
  await screen.update((current) => withEnabled(current, search, false));
  expect(isEnabled(server.current(), search)).toBe(true);
  await screen.close();
});
