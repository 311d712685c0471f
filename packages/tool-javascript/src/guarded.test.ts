import { createFiles, createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset, run } from '@utensil/core';
import type { Toolset } from '@utensil/core';
import { guard, rulesPolicy } from '@utensil/core/guard';
import { scriptedModel } from '@utensil/core/testing';
import { quickjsSandbox } from '@utensil/sandbox-quickjs/node';
import { memoryStorage } from '@utensil/storage-memory';
import { afterAll, expect, inject, it } from 'vitest';
import { javascriptTool } from './javascript.ts';

const worker = new URL(inject('sandboxWorker'));

const sandbox = quickjsSandbox({ worker, maxWorkers: 1 });
afterAll(() => sandbox.close());

const code = `
  const said = [];
  for (const path of ['src/a', '.env', 'b'])
    try { said.push(await tools.save({ path })) } catch (error) { said.push(error.message) }
  return said;
`;

const settings = { ...emptySettings, tools: { javascript: { enabled: true, options: { callTools: true } } } };

const outside = async (toolset: Toolset): Promise<unknown> => {
  const { signal } = new AbortController();
  const context = { projectId: 'p', runId: 'r', callId: 'c', signal };
  return (await toolset.execute({ name: 'javascript', input: { code } }, context)).modelParts;
};

const inside = async (toolset: Toolset): Promise<unknown> => {
  const model = scriptedModel([{ calls: [{ name: 'javascript', input: { code } }] }, {}]);
  const { messages } = await run({ model, toolset, messages: 'Go.' }).result;
  const part = messages.flatMap(({ parts }) => parts).find(({ type }) => type === 'tool-result');
  return part?.type === 'tool-result' && part.modelParts;
};

it.each([
  ['outside a run', outside],
  ['in a run', inside],
])('a script went past the guard of a toolset %s', async (_, play) => {
  const saved: string[] = [];
  const save = defineTool({
    name: 'save',
    description: 'Saves a file.',
    input: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    }),
    effects: 'write',
    execute({ path }) {
      saved.push(path);
      return `saved ${path}`;
    },
  });
  const policy = rulesPolicy([
    { decision: 'allow', tool: 'javascript' },
    { decision: 'allow', tool: 'save', when: [{ field: 'path', path: 'src/**' }] },
    { decision: 'deny', when: [{ field: 'path', path: '.env*' }], reason: 'keys are no business of yours' },
  ]);
  const asked: string[] = [];
  const host = { files: createFiles(memoryStorage()), sandbox };
  const toolset = guard(resolveToolset(createRegistry([javascriptTool, save]), settings, host), {
    policy,
    ask: ({ input }) => (asked.push(String(input['path'])), 'deny'),
  });
  const told = JSON.stringify(await play(toolset));
  expect([saved, asked]).toEqual([['src/a'], ['b']]);
  for (const part of ['saved src/a', 'keys are no business of yours', 'The user denied permission'])
    expect(told).toContain(part);
});
