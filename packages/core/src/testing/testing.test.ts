import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { jsonSchema } from '../schema/json-schema.ts';
import { option } from '../tool/option.ts';
import { createRegistry } from '../tool/registry.ts';
import { run } from '../run/lazy-run.ts';
import { emptySettings } from '../settings/settings.ts';
import { defineTool } from '../tool/define.ts';
import type { Tool } from '../tool/tool.ts';
import { resolveToolset } from '../toolset/toolset.ts';
import { scriptedModel } from './scripted-model.ts';
import { toolCases, toolSuite } from './tool-suite.ts';

const good: Tool = defineTool({
  name: 'shout',
  description: 'Shouts.',
  options: { mark: option.select({ label: 'Mark', default: '!', choices: [{ value: '!', label: '!' }] }) },
  input: z.toJSONSchema(z.object({ text: z.string() })),
  effects: 'read',
  render: { title: 'Shout {text}' },
  execute: ({ text }, { mark }) => `${text.toUpperCase()}${mark}`,
});

/** The names of the cases that fail for a tool. */
async function failures(tool: Tool, examples = [{ text: 'hi' }]): Promise<readonly string[]> {
  const registered: (readonly [string, () => Promise<void> | void])[] = [];
  toolSuite({ test: (name, body) => registered.push([name, body]) }, tool, { examples });
  const failed: string[] = [];
  for (const [name, body] of registered) {
    try {
      await body();
    } catch {
      failed.push(name);
    }
  }
  return failed;
}

it('passes a good tool', async () => {
  expect(await failures(good)).toEqual([]);
});

let count = 0;

it.each<[defect: string, tool: Tool, failing: readonly number[]]>([
  ['a definition that changes', { ...good, description: () => `Shout ${++count}.` }, [0]],
  ['no description', { ...good, description: ' ' }, [0]],
  [
    'a default that is no choice',
    {
      ...good,
      options: { mark: { ...option.text({ label: 'Mark', default: '' }), kind: 'select', choices: [] } as never },
    },
    [1],
  ],
  [
    'an execute that fails',
    {
      ...good,
      execute: () => {
        throw new Error('no');
      },
    },
    [2],
  ],
  ['a title that is empty', { ...good, title: ' ', render: {} }, [3]],
  [
    'a schema that is not the one that is checked',
    {
      ...good,
      input: {
        '~standard': {
          ...jsonSchema({ type: 'object', properties: { text: { type: 'string' } } })['~standard'],
          validate: (value) => ({ value }),
        },
      },
      execute: () => 1,
    },
    [4],
  ],
])('finds %s', async (_, tool, failing) => {
  expect(await failures(tool)).toEqual(failing.map((index) => toolCases[index]));
});

it('refuses to run without an example', () => {
  expect(() => toolSuite({ test: () => undefined }, good, { examples: [] })).toThrow('at least one example');
});

it('a scripted model remembers its requests, and says what was never asked for', async () => {
  const model = scriptedModel([{ text: 'one' }, { text: 'two' }]);
  const toolset = resolveToolset(createRegistry([good]), emptySettings, {});
  await run({ model, toolset, messages: 'Go.' }).result;
  expect(model.requests).toHaveLength(1);
  expect(() => model.assertComplete()).toThrow('1 of 2 scripted turns were never asked for.');
  await run({ model, toolset, messages: 'Go.' }).result;
  model.assertComplete();
  expect(await run({ model, toolset, messages: 'Go.' }).result).toMatchObject({
    status: 'error',
    error: { message: 'The script has 2 turns, and was asked for one more.' },
  });
});
