import {
  createRecords,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  openThread,
  resolveToolset,
  run,
  textOf,
} from '@utensil/core';
import type { Message, ModelRequest, Settings, Thread, Tool } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import type { ScriptedTurn } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { callTool } from './call-tool.ts';
import { readOutput } from './read-output.ts';

/** 5 MB on a single line, with its offset at every position. */
const line = Array.from({ length: 5 * 2 ** 17 }, (_, index) => String(index).padStart(8, ' ')).join('');

const dump = (more: Partial<Tool> = {}): Tool =>
  defineTool({
    name: 'dump',
    description: 'Gives a long line.',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => line,
    ...more,
  });

type Turn = ScriptedTurn | ((request: ModelRequest) => ScriptedTurn);

async function play(
  tools: readonly Tool[],
  script: readonly Turn[],
  { settings = emptySettings, thread }: { readonly settings?: Settings; readonly thread?: Thread } = {},
) {
  const model = scriptedModel([...script, { text: 'Done.' }]);
  const toolset = resolveToolset(createRegistry(tools), settings, {});
  const played = await run({ model, toolset, messages: 'Go.', ...(thread && { thread }) }).result;
  const shown = played.messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? [textOf(part.modelParts)] : [])),
  );
  return { ...played, shown, model };
}

const dumped: Turn = { calls: [{ name: 'dump' }] };

/** Follows the continuation note of the last result, as a model would. */
function goOn({ messages }: ModelRequest): ScriptedTurn {
  const text = lastText(messages);
  const gap = /, from (\d+) to \d+: call (\w+) with "call_id": ("[^"]+") and an "offset"/.exec(text);
  const [, from = /continue at offset (\d+)/.exec(text)?.[1], name = 'read_output', id = '"call-1"'] = gap ?? [];
  return { calls: [{ name, input: { call_id: JSON.parse(id) as string, offset: Number(from) } }] };
}

const lastText = (messages: readonly Message[]): string =>
  textOf(messages.at(-1)?.parts.flatMap((part) => (part.type === 'tool-result' ? part.modelParts : [])) ?? []);

const contentOf = (part = ''): string => part.split('\n')[1] ?? '';

it('is named by a cut result, and reads on from where that was cut', async () => {
  expect(line).toHaveLength(5 * 2 ** 20);
  const { shown, status, model } = await play([dump(), readOutput], [dumped, goOn, goOn, goOn]);
  const [cut = '', ...parts] = shown;
  expect(status).toBe('complete');
  expect(cut.length).toBeLessThan(101_000);
  const [, missing, from] = /(\d+) of 5242880 characters left out here, from (\d+) to/.exec(cut) ?? [];
  expect(cut).toContain('call read_output with "call_id": "call-1" and an "offset".');
  expect(Number(missing)).toBeGreaterThan(5_000_000);
  const read = parts.map(contentOf).join('');
  expect(line.startsWith(read, Number(from))).toBe(true);
  expect(read.length).toBeGreaterThan(3 * 15_000);
  expect(parts.every((part) => part.length <= 16_000 && !part.includes('left out'))).toBe(true);
  const seen =
    model.requests
      .at(-1)
      ?.messages.map(({ parts }) => lastText([{ parts } as Message]))
      .join('') ?? '';
  expect(seen.length).toBeLessThan(150_000);
});

it('comes to the end of one line of 5 MB, each part further on than the one before', async () => {
  const toolset = resolveToolset(createRegistry([readOutput]), emptySettings, {});
  const inner = {
    call: async () => Promise.reject(new Error('no call')),
    run: async () => Promise.reject(new Error('no run')),
    mark: async () => undefined,
    tools: async () => [],
    prompts: async () => [],
    outputOf: async () => line,
  };
  const { signal } = new AbortController();
  let read = '';
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const input = { call_id: 'c', offset };
    const context = { projectId: 'p', runId: 'r', callId: 'd', signal, inner: async () => inner };
    const { modelParts } = await toolset.execute({ name: 'read_output', input }, context);
    const part = textOf(modelParts);
    read += contentOf(part);
    const next = /continue at offset (\d+)/.exec(part)?.[1];
    expect(next === undefined || Number(next) > offset + 15_000).toBe(true);
    offset = next === undefined ? undefined : Number(next);
  }
  expect(read === line).toBe(true);
});

it('reads as much as is asked for, up to what there is room for', async () => {
  const read = (input: object): Turn => ({ calls: [{ name: 'read_output', input: { call_id: 'call-1', ...input } }] });
  const { shown } = await play(
    [dump(), readOutput],
    [dumped, read({ offset: 80, length: 16 }), read({ length: 1_000_000 }), read({ offset: 9_000_000 })],
  );
  expect(shown[1]).toBe('[characters 80–96 of 5242880]\n      10      11\n[More follows: continue at offset 96.]');
  expect(shown[2]?.length).toBeLessThanOrEqual(16_000);
  expect(shown[3]).toBe('There are 5242880 characters: nothing is at offset 5242880.');
});

it('reads an output that is not text as the JSON that the model saw', async () => {
  const values = Array.from({ length: 50_000 }, (_, index) => index);
  const { shown } = await play([dump({ execute: () => ({ values }) }), readOutput], [dumped, goOn]);
  const from = Number(/, from (\d+) to/.exec(shown[0] ?? '')?.[1]);
  const text = JSON.stringify({ values });
  expect(text.startsWith(contentOf(shown[1]), from)).toBe(true);
});

it('reads the output of a tool that was called for the model', async () => {
  const called: Turn = { calls: [{ name: 'call_tool', input: { name: 'dump', input: {} } }] };
  const { shown } = await play([dump({ defer: true, outputLimit: 150_000 }), callTool, readOutput], [called, goOn]);
  const from = Number(/, from (\d+) to/.exec(shown[0] ?? '')?.[1]);
  expect(shown[0]?.match(/left out here/g)).toHaveLength(1);
  expect(shown[0]?.length).toBeGreaterThan(149_000);
  expect(contentOf(shown[1]).length).toBeGreaterThan(15_000);
  expect(line.startsWith(contentOf(shown[1]), from)).toBe(true);
});

it('reads on in a later run of the thread, after it was stored and loaded', async () => {
  const records = createRecords(memoryStorage());
  const first = await play([dump(), readOutput], [dumped], { thread: openThread(records, 't') });
  const again: Turn = {
    calls: [{ name: 'read_output', input: { call_id: 'call-1', offset: 70_000 }, callId: 'again' }],
  };
  const { shown } = await play([dump(), readOutput], [again], { thread: openThread(records, 't') });
  expect(first.shown).toHaveLength(1);
  expect(line.startsWith(contentOf(shown[0]), 70_000)).toBe(true);
  expect(contentOf(shown[0]).length).toBeGreaterThan(15_000);
});

it('says that there is no such output', async () => {
  const { messages } = await play([readOutput], [{ calls: [{ name: 'read_output', input: { call_id: 'none' } }] }]);
  expect(messages[2]?.parts[0]).toMatchObject({ isError: true, output: expect.stringContaining('"none"') });
});

it('is not named if it is off', async () => {
  const off = { ...emptySettings, tools: { read_output: { enabled: false } } };
  for (const { shown } of [
    await play([dump(), readOutput], [dumped], { settings: off }),
    await play([dump()], [dumped]),
  ]) {
    expect(shown[0]).toContain('characters left out here: ask for less at a time');
    expect(shown[0]).not.toContain('read_output');
  }
});

it('a tool that shows other words than it stores named no way to the rest', async () => {
  const shows = dump({ render: { model: (output) => `Found: ${String(output)}` } });
  const told = /To read the output that this was made of, call read_output with "call_id": "([^"]+)" and an "offset"/;
  const reads = ({ messages }: ModelRequest): ScriptedTurn => {
    const call_id = told.exec(lastText(messages))?.[1] ?? '';
    return { calls: [{ name: 'read_output', input: { call_id, offset: 8 * 1_000 } }] };
  };
  const { shown } = await play([shows, readOutput], [dumped, reads]);
  expect(shown[0]).toMatch(/^Found: {8}0/);
  expect(shown[1]).toContain('    1000');
});
