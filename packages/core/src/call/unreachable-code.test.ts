// An app as a bundler makes it, whose files are gone when a tool runs: no network, or a newer version was deployed.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { noUsage } from '../index.ts';
import type * as core from '../index.ts';
import type { Model, ModelPart, Tool } from '../index.ts';
import { sourceCondition } from '../../../../tooling/workspace/manifest.ts';

type Core = typeof core;

const names = [
  'createRegistry',
  'defineTool',
  'emptySettings',
  'jsonSchema',
  'resolveToolset',
  'result',
  'run',
  'runTool',
];
const source = `export { ${names.join()} } from '${join(import.meta.dirname, '../index.ts')}'`;

/** Builds an app, and passes it on with a function that removes its files. */
async function built(use: (app: Core, vanish: () => Promise<void>) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'utensil-core-'));
  const vanish = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    const app = join(directory, 'app.mjs');
    await writeFile(app, source);
    const bundle = await rolldown({ input: app, resolve: { conditionNames: [sourceCondition, 'import', 'default'] } });
    await bundle.write({ dir: directory, entryFileNames: 'app.mjs' });
    await use((await import(pathToFileURL(app).href)) as Core, vanish);
  } finally {
    await vanish();
  }
}

/** A model that calls `work` once, and then ends. */
function callingModel(): Model {
  let turn = 0;
  return {
    info: { api: 'text', id: 'calling' },
    async *stream(): AsyncGenerator<ModelPart> {
      const isFirst = turn++ === 0;
      if (isFirst) yield { type: 'tool-call', callId: '1', name: 'work', input: {}, executedBy: 'us' };
      else yield { type: 'text-delta', text: 'Done.' };
      yield { type: 'finish', reason: isFirst ? 'tool-calls' : 'stop', usage: noUsage };
    },
  };
}

const bytes = 'QUJDRGVm0123'.repeat(200);

it.each([
  ['fails', () => Promise.reject(new TypeError('Failed to fetch')), 'Tool execution failed: Failed to fetch'],
  ['returns a long text', () => 'long '.repeat(100_000), 'characters left out'],
  ['returns data', () => bytes.repeat(100), 'sha256'],
] as const)('a tool that %s is answered although no more code can be loaded', async (_what, returned, expected) => {
  await built(async ({ createRegistry, emptySettings, resolveToolset, run, ...app }, vanish) => {
    const toolset = resolveToolset(createRegistry([toolOf(app, vanish, returned)]), emptySettings, {});
    const { status, error, messages } = await run({
      model: callingModel(),
      toolset,
      messages: 'Work.',
      policy: () => 'allow',
    }).result;
    expect([status, error]).toEqual(['complete', undefined]);
    expect(JSON.stringify(messages)).toContain(expected);
  });
});

it('a call that goes on in the background is awaited although no more code can be loaded', async () => {
  await built(async ({ runTool, ...app }, vanish) => {
    const work = toolOf(app, vanish, () => app.result({ output: null, detached: 'job' }));
    expect(await runTool({ ...work, settle: async (job) => `${String(job)} is over` }, {})).toMatchObject({
      output: 'job is over',
      isError: false,
    });
  });
});

function toolOf(
  { defineTool, jsonSchema }: Pick<Core, 'defineTool' | 'jsonSchema'>,
  vanish: () => Promise<void>,
  returned: () => unknown,
): Tool {
  return defineTool({
    name: 'work',
    description: 'Works.',
    input: jsonSchema({ type: 'object' }),
    effects: 'write',
    async execute() {
      await vanish();
      return returned();
    },
  });
}
