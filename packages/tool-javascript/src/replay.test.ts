import {
  createFiles,
  createRecords,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  openThread,
  resolveToolset,
  resume,
  run,
} from '@utensil/core';
import type { Json, Run, Thread, ThreadEntry, Tool } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { quickjsSandbox } from '@utensil/sandbox-quickjs/node';
import { memoryStorage } from '@utensil/storage-memory';
import { afterAll, expect, inject, it } from 'vitest';
import { javascriptTool, javascriptToolWithFetch } from './javascript.ts';

const worker = new URL(inject('sandboxWorker'));

const sandbox = quickjsSandbox({ worker, maxWorkers: 1 });
afterAll(() => sandbox.close());

/** State that outlives processes: files, and the effects of tools. */
function createWorld(script: Tool = javascriptTool) {
  const sent: string[] = [];
  const files = createFiles(memoryStorage());
  const input = jsonSchema<{ text: string }>({ type: 'object', properties: { text: { type: 'string' } } });
  const send = defineTool({
    name: 'send',
    description: 'Sends.',
    input,
    effects: 'write',
    execute: ({ text }) => sent.push(text),
  });
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input,
    effects: 'read',
    execute: ({ text }) => `${text}!`,
  });
  const settings = { ...emptySettings, tools: { javascript: { enabled: true, options: { callTools: true } } } };
  const host = { files, sandbox, fetch: () => Promise.reject(new Error('There is no web.')) };
  return { sent, files, toolset: resolveToolset(createRegistry([script, send, look]), settings, host) };
}

type World = ReturnType<typeof createWorld>;

/** Thread of a process that crashed before it stored the first batch of entries for which `isLast` is true. */
async function crash(code: string, world: World, isLast: (entry: ThreadEntry) => boolean): Promise<Thread> {
  const thread = openThread(createRecords(memoryStorage()), 't');
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const append: Thread['append'] = async (entries, options) => {
    if (!entries.some(isLast)) return thread.append(entries, options);
    end();
    return new Promise<never>(() => undefined);
  };
  const model = scriptedModel([{ calls: [{ name: 'javascript', input: { code } }] }]);
  const played = run({ model, toolset: world.toolset, thread: { ...thread, append }, messages: 'Go.' });
  await ended;
  const left = openThread(createRecords(memoryStorage()), 't');
  for (const { entry } of (await thread.read()).entries) await left.append([entry]);
  played.abort();
  return left;
}

const goOn = (thread: Thread, { toolset }: World): Run =>
  resume({ model: scriptedModel([{ text: 'Done.' }]), toolset, thread, interactive: false });

async function outputOf({ result }: Run): Promise<Json> {
  const parts = (await result).messages.flatMap((message) => message.parts);
  return parts.find((part) => part.type === 'tool-result')?.output ?? null;
}

/** The nth entry of a type. */
function nth(type: ThreadEntry['type'], count: number): (entry: ThreadEntry) => boolean {
  let seen = 0;
  return (entry) => entry.type === type && ++seen === count;
}

const isResult = (entry: ThreadEntry): boolean => entry.type === 'message' && entry.message.role === 'tool';

const threeSent = `
  const [a, b] = await Promise.all([tools.look({ text: 'a' }), tools.look({ text: 'b' })]);
  const first = await tools.send({ text: a });
  const rest = await Promise.all([tools.send({ text: b }), tools.send({ text: 'c' })]);
  return [first, ...rest].join();`;

it.each([
  ['before it began its first call', nth('call-begun', 2)],
  ['between two of its calls', nth('call-begun', 3)],
  ['before its last call', nth('call-begun', 4)],
  ['at its end', isResult],
])('a script whose process ended %s was asked about', async (_, isLast) => {
  const world = createWorld();
  const thread = await crash(threeSent, world, isLast);
  expect(await outputOf(goOn(thread, world))).toBe('1,2,3');
  expect(world.sent).toEqual(['a!', 'b!', 'c']);
});

it('a script whose call has begun and is not known to have ended is not run again', async () => {
  const world = createWorld();
  const thread = await crash(threeSent, world, nth('inner-result', 3));
  expect(await outputOf(goOn(thread, world))).toContain('It may or may not have taken effect');
  expect(world.sent).toEqual(['a!']);
});

const counting = `
  const before = await fs.exists('/n') ? Number(await fs.readFile('/n', 'utf8')) : 0;
  await tools.send({ text: String(before) });
  await fs.writeFile('/n', String(before + 1));
  return before + 1;`;

it('what a script had written was written again', async () => {
  const world = createWorld();
  const thread = await crash(counting, world, isResult);
  expect((await world.files.readText('/n')).text).toBe('1');
  expect(await outputOf(goOn(thread, world))).toContain('It may or may not have taken effect');
  expect((await world.files.readText('/n')).text).toBe('1');

  const earlier = createWorld();
  const early = await crash(counting, earlier, (entry) => entry.type === 'call-begun' && entry.replay === 'never');
  expect(await earlier.files.stat('/n')).toBeUndefined();
  expect(await outputOf(goOn(early, earlier))).toBe('1');
  expect([earlier.sent, (await earlier.files.readText('/n')).text]).toEqual([['0'], '1']);
});

it('what a script had written before its first call was written again', async () => {
  const world = createWorld();
  const thread = await crash(counting.replace(/await tools.*;/, ''), world, isResult);
  expect(await outputOf(goOn(thread, world))).toContain('It may or may not have taken effect');
  expect((await world.files.readText('/n')).text).toBe('1');
});

it('a script that sees other files than before does not send anything else', async () => {
  const world = createWorld();
  const thread = await crash(counting, world, (entry) => entry.type === 'call-begun' && entry.replay === 'never');
  await world.files.write('/n', '7');
  expect(await outputOf(goOn(thread, world))).toContain('It may or may not have taken effect');
  expect([world.sent, (await world.files.readText('/n')).text]).toEqual([['0'], '7']);
});

it('a script that can reach the web is not run again', async () => {
  const world = createWorld(javascriptToolWithFetch);
  const thread = await crash(threeSent, world, isResult);
  expect(await outputOf(goOn(thread, world))).toContain('It may or may not have taken effect');
});
