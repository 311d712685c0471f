// Complaints of users of an earlier system, as scripts that repeat the situation of each.

import {
  capability,
  createFiles,
  createRecords,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  openSettings,
  permissions,
  resolveToolset,
  run,
  runTool,
  textOf,
} from '@utensil/core';
import type { Host, Json, Preview, RunEvent, Tool } from '@utensil/core';
import { readOnly } from '@utensil/core/files';
import { isEnabled, overSettings, withEnabled } from '@utensil/core/settings';
import { scriptedModel } from '@utensil/core/testing';
import { mcpSource } from '@utensil/interop-mcp/client';
import { serveMcpHttp } from '@utensil/interop-mcp/node';
import { localShell } from '@utensil/local-shell';
import { memoryStorage } from '@utensil/storage-memory';
import { withTextTools } from '@utensil/text-dialects';
import { memoryTool } from '@utensil/tool-memory';
import {
  editFileTool,
  executeCommandTool,
  moveTool,
  projectsOf,
  readFilesTool,
  searchNotesTool,
  writeFileTool,
} from '@utensil/tool-workspace';
import { expect, it } from 'vitest';
import { temporaryFolder } from './test-kit/spawn-demo.ts';

const clock = defineTool({
  name: 'clock',
  description: 'The time.',
  input: jsonSchema({ type: 'object' }),
  effects: 'read',
  execute: () => '12:00',
});

const toolsetOf = (tools: readonly Tool[], host: Host = {}) =>
  resolveToolset(createRegistry(tools), emptySettings, host);

async function vaultOf(notes: Readonly<Record<string, string>>) {
  const files = createFiles(memoryStorage());
  for (const [path, text] of Object.entries(notes)) await files.write(`/${path}`, text);
  return { files, host: { projects: projectsOf({ vault: { files } }) } };
}

async function eventsOf(turn: { events(): AsyncIterable<RunEvent> }): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of turn.events()) events.push(event);
  return events;
}

const ends = (events: readonly RunEvent[]) => events.flatMap((event) => (event.type === 'tool-end' ? [event] : []));

it('[A4-09] 1: servers of MCP are added, used, switched off by tool, and removed', async () => {
  const server = await serveMcpHttp(toolsetOf([clock]), { name: 'times', version: '1' });
  const registry = createRegistry([]);
  const mount = registry.mount(mcpSource({ url: server.url }), { namespace: 'times' });
  await mount.ready;
  const toolset = resolveToolset(registry, emptySettings, {});
  const model = scriptedModel([{ calls: [{ name: 'times_clock' }] }, { text: 'Noon.' }]);
  const turn = run({ model, toolset, messages: 'Time?' });
  expect(ends(await eventsOf(turn)).map(({ result }) => textOf(result.modelParts))).toEqual(['12:00']);
  const tool = registry.get('times_clock') as Tool;
  const off = resolveToolset(registry, withEnabled(emptySettings, tool, false), {});
  expect(off.definitions({ api: 'any' })).toEqual([]);
  await mount.unmount();
  expect(registry.list()).toEqual([]);
  await server.close();
});

it('[A4-09] 2: at the limit of steps the user gets an answer from what was found', async () => {
  const looking = { calls: [{ name: 'clock' }] };
  const model = scriptedModel([
    looking,
    looking,
    ({ toolChoice }) => ({ text: `Noon, as far as I see: ${JSON.stringify(toolChoice)}.` }),
  ]);
  const { status, limit, text } = await run({
    model,
    toolset: toolsetOf([clock]),
    messages: 'Time?',
    limits: { steps: 2 },
  }).result;
  expect([status, limit, text]).toEqual(['limit', 'steps', 'Noon, as far as I see: "none".']);
});

it('[A4-09] 3: an edit changes one place of a note of any size, keeps its blanks, and returns what was saved', async () => {
  const line = '  - a $& b  \n';
  const { files, host } = await vaultOf({ 'a.md': `${line}x\n${line}` });
  const edit = async (old_text: string, new_text: string) => {
    const { modelParts, isError } = await runTool(editFileTool, { path: 'a.md', old_text, new_text }, { host });
    return { text: textOf(modelParts), isError };
  };
  expect(await edit(line, 'c')).toEqual({ isError: true, text: expect.stringContaining('occurs 2 times') });
  expect(await edit('nowhere', 'c')).toEqual({ isError: true, text: expect.stringContaining('string_not_found') });
  const { text } = await edit(`x\n${line}`, 'y\n  $1  \n');
  expect(text).toContain('Lines 2-3 are now:\n2 | y\n3 |   $1');
  expect((await files.readText('/a.md')).text).toBe(`${line}y\n  $1  \n`);
});

it('[A4-09] 4: a write that failed, a tool that hangs and a stream that breaks are told, and nothing stays open', async () => {
  const { files } = await vaultOf({ 'a.md': 'a' });
  const host = { projects: projectsOf({ vault: { files: readOnly(files) } }) };
  const hanging = { ...clock, name: 'hanging', timeoutMs: 20, execute: () => new Promise(() => undefined) };
  const toolset = toolsetOf([writeFileTool, hanging, clock], host);
  const write = { name: 'write_file', input: { path: 'b.md', content: 'b' } };
  const turns = Array.from({ length: 12 }, () => ({ calls: [{ name: 'clock', input: {} }] }));
  const model = scriptedModel([
    { calls: [write, { name: 'hanging' }] },
    ...turns,
    { text: 'I wrote', breaks: new Error('gone') },
  ]);
  const turn = run({ model, toolset, messages: 'Write.', limits: { repeats: Infinity } });
  const events = await eventsOf(turn);
  const results = ends(events);
  const failed = results.filter(({ result }) => result.isError).map(({ name }) => name);
  expect(new Set(failed)).toEqual(new Set(['hanging', 'write_file']));
  expect(await files.stat('/b.md')).toBeUndefined();
  const started = events.flatMap((event) => (event.type === 'tool-start' ? [event.callId] : []));
  expect(started.toSorted()).toEqual(results.map(({ callId }) => callId).toSorted());
  expect(started).toHaveLength(14);
  expect((await turn.result).status).toBe('error');
  expect(events.at(-1)?.type).toBe('run-end');
});

it('[A4-09] 5: the failure of a tool is told with its name and reason, and the model goes on', async () => {
  const broken = { ...clock, execute: () => Promise.reject(new Error('The clock has stopped.')) };
  const model = scriptedModel([
    { calls: [{ name: 'clock' }] },
    ({ messages }) => ({ text: JSON.stringify(messages.at(-1)) }),
  ]);
  const { status, text } = await run({ model, toolset: toolsetOf([broken]), messages: 'Time?' }).result;
  expect(status).toBe('complete');
  expect(text).toContain('The clock has stopped.');
  expect(text).toContain('"name":"clock"'); // without it, Gemini answers with nothing
});

it('[A4-09] 6: a model without tools of its own uses them through text', async () => {
  const call = '<tool_call>\n{"name": "clock", "arguments": {}}\n</tool_call>';
  const inner = scriptedModel([{ text: `Wait.\n${call}` }, { text: 'Noon.' }]);
  const { text, messages } = await run({ model: withTextTools(inner), toolset: toolsetOf([clock]), messages: 'Time?' })
    .result;
  expect(text).toBe('Noon.');
  expect(inner.requests.map(({ tools }) => tools.length)).toEqual([0, 0]);
  expect(inner.requests[0]?.system).toContain('clock');
  expect(JSON.stringify(inner.requests[1]?.messages)).toContain('12:00');
  expect(JSON.stringify(messages)).not.toContain('<tool_call>');
});

it('[A4-09] 7: a question shows the whole change, and one answer can allow all further ones of its kind', async () => {
  const { files, host } = await vaultOf({ 'a.md': 'one\n'.repeat(300) });
  const edit = { name: 'edit_file', input: { path: 'a.md', old_text: 'one\n', new_text: 'two\n', replace_all: true } };
  const again = { name: 'edit_file', input: { path: 'a.md', old_text: 'two\n', new_text: '3\n', replace_all: true } };
  const options = { toolset: toolsetOf([editFileTool], host), messages: 'Edit.' };
  const turn = run({
    ...options,
    model: scriptedModel([{ calls: [edit] }, { calls: [again] }, {}]),
    policy: permissions('write'),
  });
  const previews: Json[] = [];
  for await (const event of turn.events()) {
    if (event.type !== 'approval-request') continue;
    previews.push(event.preview ?? null);
    expect((await files.readText('/a.md')).text).not.toContain('two');
    turn.answer(event.questionId, 'run');
  }
  const change = { path: '/a.md', before: 'one\n'.repeat(300), after: 'two\n'.repeat(300) };
  expect(previews.map((preview) => (preview as unknown as Preview).changes)).toEqual([[change]]);
  expect((await files.readText('/a.md')).text).toBe('3\n'.repeat(300));
  const silent = run({ ...options, model: scriptedModel([{ calls: [edit] }, {}]), policy: permissions('bypass') });
  expect((await eventsOf(silent)).filter(({ type }) => type === 'approval-request')).toEqual([]);
});

it('[A4-09] 8: a search finds notes by words in any place, in other scripts, by tag, name and time', async () => {
  const { host } = await vaultOf({
    'work/Garten.md': `${'text\n'.repeat(5_000)}\nTomaten pflanzen #garten/beet\n`,
    'データ.md': '東京の天気は晴れです。\n',
    'Plans 2026.md': '---\ntags: [work]\n---\nsomething\n',
  });
  const found = async (input: { query?: string; since?: string }) => {
    const { output } = await runTool(searchNotesTool, input, { host });
    return (output as { notes: { path: string }[] }).notes.map(({ path }) => path).toSorted();
  };
  expect(await found({ query: 'tomaten' })).toEqual(['work/Garten.md']);
  expect(await found({ query: '天気' })).toEqual(['データ.md']);
  expect(await found({ query: '#garten' })).toEqual(['work/Garten.md']);
  expect(await found({ query: '#work' })).toEqual(['Plans 2026.md']);
  expect(await found({ query: 'plans' })).toEqual(['Plans 2026.md']);
  expect(await found({ since: '2020-01-01' })).toHaveLength(3);
});

it('[A4-09] 9: memories are files that people can read, by project, the same for every model and after a restart', async () => {
  const [one, other] = [memoryStorage(), memoryStorage()];
  const remember = { command: 'create', path: 'tea.md', file_text: 'Prefers tea.\n' };
  await runTool(memoryTool, remember, { host: { files: createFiles(one) } });
  expect((await createFiles(one).readText('/memories/tea.md')).text).toBe('Prefers tea.\n');
  for (const api of ['anthropic-messages', 'openai-responses', 'text']) {
    const toolset = toolsetOf([memoryTool], { files: createFiles(one) }); // as after a restart
    expect(toolset.definitions({ api }).map(({ name }) => name)).toEqual(['memory']);
    const view = { command: 'view', path: '/memories/tea.md' };
    const model = scriptedModel([{ calls: [{ name: 'memory', input: view }] }, {}], { api });
    const results = ends(await eventsOf(run({ model, toolset, messages: 'Tea?' })));
    expect(textOf(results[0]?.result.modelParts ?? [])).toContain('Prefers tea.');
  }
  expect(await createFiles(other).stat('/memories')).toBeUndefined();
});

/** Rendered notes of an app, such as one with the result of a query. */
const rendered = capability<{ html(path: string): Promise<string> }>('rendered');

it('[A4-09] 10: tools reach rendered data and commands of the app, scripts call tools, and moves update links', async () => {
  const readRendered = defineTool({
    name: 'read_rendered',
    description: 'A note as the app shows it.',
    input: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    }),
    effects: 'read',
    requires: { rendered },
    execute: ({ path }, _options, { host }) => host.rendered.html(path),
  });
  const app = { rendered: { html: async (path: string) => `<table><td>3 tasks in ${path}</td></table>` } };
  const calls = [{ name: 'read_rendered', input: { path: 'Tasks.md' } }];
  const turn = run({
    model: scriptedModel([{ calls }, {}]),
    toolset: toolsetOf([readRendered], app),
    messages: 'Tasks?',
  });
  expect(ends(await eventsOf(turn))[0]?.result.output).toContain('3 tasks in Tasks.md');
  expect(toolsetOf([readRendered]).definitions({ api: 'any' })).toEqual([]); // in an app that renders nothing

  await using folder = await temporaryFolder();
  const shell = localShell({ root: folder.path, sandbox: 'none' });
  const command = await runTool(executeCommandTool, { command: 'echo "$((6 * 7)) notes"' }, { host: { shell } });
  expect(textOf(command.modelParts)).toContain('42 notes');

  const { files, host } = await vaultOf({
    'Plans.md': '[old](old.md)',
    'old.md': 'o',
    'a.md': '[[Plans|p]] ![](Plans.md#x)',
  });
  const options = { updateLinks: true };
  await runTool(moveTool, { from: 'Plans.md', to: 'desk/Goals.md' }, { host, options });
  expect((await files.readText('/a.md')).text).toBe('[[Goals|p]] ![](desk/Goals.md#x)');
  expect((await files.readText('/desk/Goals.md')).text).toBe('[old](../old.md)');
});

it('[A4-09] 11: thinking, arguments and results are shown in full, and an empty answer leaves the calls to name', async () => {
  const long = 'x'.repeat(200_000);
  const talking = { ...clock, execute: () => long };
  const model = scriptedModel([
    { reasoning: 'I need a clock.', calls: [{ name: 'clock', input: { zone: 'UTC' } }] },
    {},
  ]);
  const turn = run({ model, toolset: toolsetOf([talking]), messages: 'Time?' });
  const events = await eventsOf(turn);
  expect(events).toContainEqual(expect.objectContaining({ type: 'reasoning-delta', text: 'I need a clock.' }));
  expect(events).toContainEqual(expect.objectContaining({ type: 'tool-start', name: 'clock', input: { zone: 'UTC' } }));
  expect(ends(events)[0]?.result.output).toBe(long);
  const { text, messages } = await turn.result;
  expect(text).toBe('');
  const called = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-call' ? [part.name] : [])),
  );
  expect(called).toEqual(['clock']);
});

it('[A4-09] 12: a tool is switched for one chat alone, and one that is off cannot be called', async () => {
  const settings = await openSettings(createRecords(memoryStorage()), 'project');
  const chat = withEnabled(emptySettings, clock, false);
  const registry = createRegistry([clock, { ...readFilesTool }]);
  expect(isEnabled(settings.current(), clock)).toBe(true);
  const toolset = resolveToolset(registry, overSettings(settings.current(), chat), (await vaultOf({})).host);
  expect(toolset.definitions({ api: 'any' }).map(({ name }) => name)).toEqual(['read_files']);
  const model = scriptedModel([{ calls: [{ name: 'clock' }] }, {}]);
  const [end] = ends(await eventsOf(run({ model, toolset, messages: 'Time?' })));
  expect([end?.result.isError, JSON.stringify(end?.result.modelParts).includes('12:00')]).toEqual([true, false]);
  expect(resolveToolset(registry, settings.current(), {}).definitions({ api: 'any' })).toHaveLength(1);
});
