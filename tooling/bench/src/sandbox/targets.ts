import { createFiles, createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset, run } from '@utensil/core';
import type { ModelRequest } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import type { ScriptedTurn } from '@utensil/core/testing';
import { quickjsSandbox } from '@utensil/sandbox-quickjs/node';
import type { EngineName, Sandbox } from '@utensil/sandbox-quickjs/node';
import { memoryStorage } from '@utensil/storage-memory';
import { javascriptTool } from '@utensil/tool-javascript';
import { median } from '../runner/statistics.ts';
import { time } from './works.ts';
import type { Figures } from './job.ts';

/** Measurements of our sandbox only, by name. `calls` is their thoroughness. */
export const targets: Readonly<Record<string, (calls: number) => Promise<Figures>>> = {
  'after a kill, quickjs-wasi': () => afterKill('quickjs-wasi'),
  'after a kill, quickjs-emscripten': () => afterKill('quickjs-emscripten'),
  'growth, quickjs-wasi': (calls) => growth('quickjs-wasi', calls),
  'growth, quickjs-emscripten': (calls) => growth('quickjs-emscripten', calls),
  'code mode': codeMode,
};

async function one(sandbox: Sandbox): Promise<void> {
  const { text } = await sandbox.run({ code: 'return 1' });
  if (text !== '1') throw new Error(`The script gave ${text}.`);
}

/** Duration of a call after one that only the termination of its worker ended. */
async function afterKill(engine: EngineName): Promise<Figures> {
  const sandbox = quickjsSandbox({ engine });
  await one(sandbox);
  const times: number[] = [];
  for (let kill = 0; kill < 5; kill++) {
    const { status } = await sandbox.run({ code: `new Array(1e9).join('')`, limits: { workMs: 200 } });
    if (status !== 'timeout') throw new Error(`The script was to be ended, and is ${status}.`);
    times.push(await time(() => one(sandbox)));
  }
  sandbox.close();
  return { ms: median(times) };
}

/** Growth of the process in megabytes, after a warm-up with a tenth as many calls. */
async function growth(engine: EngineName, calls: number): Promise<Figures> {
  const sandbox = quickjsSandbox({ engine });
  const size = (): number => {
    globalThis.gc?.();
    return process.memoryUsage().rss / 1024 / 1024;
  };
  for (let call = 0; call < calls / 10; call++) await one(sandbox);
  const before = size();
  for (let call = 0; call < calls; call++) await one(sandbox);
  const after = size();
  sandbox.close();
  return { calls, MB: after - before };
}

/** A record of about 220 characters, as a server might return. */
const stock = defineTool({
  name: 'stock',
  description: 'The stock of a product in each warehouse.',
  input: jsonSchema<{ readonly product: number }>({
    type: 'object',
    properties: { product: { type: 'integer', description: 'Its number.' } },
    required: ['product'],
  }),
  effects: 'read',
  execute: ({ product }) => {
    const warehouses = ['Rome', 'Oslo', 'Lima', 'Perth'].map((city, index) => ({
      city,
      pieces: product + index,
      shelf: `${city[0]}-${product}-${index}`,
    }));
    return { product, name: `Product ${product}`, warehouses };
  },
});

const program = (count: number): string => `const records = await Promise.all(
  Array.from({ length: ${count} }, (_, index) => tools.stock({ product: index + 1 })),
);
return records.flatMap(({ warehouses }) => warehouses).reduce((sum, { pieces }) => sum + pieces, 0);`;

/** Tokens of a task with this many calls, in separate turns and in one program; and the number of turns. */
async function codeMode(): Promise<Figures> {
  const sandbox = quickjsSandbox();
  const figures: Record<string, number> = {};
  for (const count of [1, 3, 5, 20]) {
    const calls = Array.from({ length: count }, (_, index) => ({ name: 'stock', input: { product: index + 1 } }));
    const turns = await requestsOf(
      sandbox,
      calls.map((call) => ({ calls: [call] })),
      false,
    );
    const script = { calls: [{ name: 'javascript', input: { code: program(count) } }] };
    const scripted = await requestsOf(sandbox, [script], true);
    figures[`${count} in turns`] = tokensOf(turns);
    figures[`${count} in a program`] = tokensOf(scripted);
    figures[`${count}, turns of the model`] = scripted.length - 1; // the last turn is the answer
  }
  sandbox.close();
  return figures;
}

async function requestsOf(sandbox: Sandbox, turns: readonly ScriptedTurn[], callTools: boolean) {
  const model = scriptedModel([...turns, { text: 'That is the total.' }]);
  const settings = { ...emptySettings, tools: { javascript: { enabled: callTools, options: { callTools } } } };
  const host = { files: createFiles(memoryStorage()), sandbox };
  const toolset = resolveToolset(createRegistry([javascriptTool, stock]), settings, host);
  const { status, messages } = await run({ model, toolset, messages: 'What is in stock?' }).result;
  const failed = messages.flatMap(({ parts }) => parts).some((part) => part.type === 'tool-result' && part.isError);
  if (status !== 'complete' || failed) throw new Error(`The transcript was not played: ${status}.`);
  return model.requests;
}

/** Size of the requests of providers, in tokens of four characters. */
function tokensOf(requests: readonly ModelRequest[]): number {
  const texts = requests.map(({ system, tools, messages }) => {
    const parts = messages.flatMap((message) =>
      message.parts.map((part) => {
        if (part.type === 'tool-call') return { id: part.callId, name: part.name, input: part.input };
        return part.type === 'tool-result' ? { id: part.callId, content: part.modelParts } : part;
      }),
    );
    return system + JSON.stringify(tools) + JSON.stringify(parts);
  });
  return Math.round(texts.join('').length / 4);
}
