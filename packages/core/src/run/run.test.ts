import * as z from 'zod/mini';
import { expect, it } from 'vitest';
import { createRegistry } from '../registry.ts';
import { emptySettings } from '../settings/settings.ts';
import { scriptedModel } from '../testing/index.ts';
import { defineTool } from '../tool.ts';
import { resolveToolset } from '../toolset.ts';
import { run } from './run.ts';

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  input: z.toJSONSchema(z.object({ a: z.number(), b: z.number() })),
  effects: 'read',
  execute: ({ a, b }) => a + b,
});

it('runs the tools that the model calls, and gives their results back', async () => {
  const model = scriptedModel([
    { text: 'Let me add.', calls: [{ name: 'add', input: { a: 1, b: 2 } }] },
    { text: 'It is 3.' },
  ]);
  const { events, result } = run({
    model,
    toolset: resolveToolset(createRegistry([add]), emptySettings, {}),
    messages: 'What is 1 + 2?',
  });
  const types: string[] = [];
  for await (const event of events()) types.push(event.type);
  expect(await result).toMatchObject({ status: 'complete', text: 'It is 3.', steps: 2 });
  expect(types.join(' ')).toBe(
    'run-start message step-start text-delta text-delta tool-input-start tool-input-delta tool-call step-end message tool-start tool-end message step-start text-delta text-delta step-end message run-end',
  );
  model.assertComplete();
});
