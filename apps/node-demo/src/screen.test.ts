import {
  UtensilError,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  resolveToolset,
  result,
  run,
} from '@utensil/core';
import type { Model } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import pc from 'picocolors';
import { expect, it } from 'vitest';
import { resultLines } from './call-lines.ts';
import { createScreen } from './screen.ts';

const copy = defineTool({
  name: 'copy',
  description: 'Copies.',
  input: jsonSchema<{ text: string }>({ type: 'object', properties: { text: { type: 'string' } } }),
  effects: 'read',
  render: { title: 'Copy {text}' },
  async *execute({ text }) {
    if (text === '') throw new Error('There is nothing to copy.');
    yield 'half \u001b[2J way';
    return result({ output: text });
  },
});

/** A run's output on a terminal of 40 columns. */
async function shown(
  model: ReturnType<typeof scriptedModel>,
  limits = {},
  fallback: readonly Model[] = [],
): Promise<string> {
  const toolset = resolveToolset(createRegistry([copy]), emptySettings, {});
  const screen = createScreen({ colors: pc.createColors(false), columns: () => 40 });
  let written = screen.note('Hello');
  const { events } = run({ model, toolset, messages: 'Go', limits, fallback });
  for await (const event of events()) written += screen.event(event);
  return written.replaceAll(/\(\d+ ms\)/g, '(1 ms)');
}

it('shows calls with title, input, progress, result and time', async () => {
  const model = scriptedModel([
    { text: 'I copy.', reasoning: 'Hm.', calls: [{ name: 'copy', input: { text: 'a text that is rather long' } }] },
    { text: 'Done.' },
  ]);
  expect(await shown(model)).toBe(`Hello

Hm.

I copy.

● Copy a text that is rather long
  text "a text that is rather long"
  … "half \\u001b[2J way"
  ✓ a text that is rather long (1 ms)

Done.
`);
});

it('shows what failed, was unknown, and was too long', async () => {
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`).join('\n');
  const model = scriptedModel([
    {
      calls: [
        { name: 'copy', input: { text: '' } },
        { name: 'paste', input: { text: 'x' } },
      ],
    },
    { calls: [{ name: 'copy', input: { text: lines } }] },
    { text: 'So.', breaks: 'truncated' },
  ]);
  const written = await shown(model, { retries: 0 });
  expect(written).toContain('  ✗ Tool execution failed: There is nothing to copy. (1 ms)\n');
  expect(written).toContain('● paste\n  text x\n  ✗ Unknown tool: paste\n');
  expect(written).toContain('    line 8\n    … 3 more lines\n');
  expect(written.replaceAll('\n', ' ')).toContain(
    'So.  Error: The model stopped in the middle of its answer. Try again.',
  );
});

it('announces that an answer begins again, with which model, and that the printed text is void', async () => {
  const busy = new UtensilError('model_overloaded', 'Too busy.', { retryable: true, retryAfterMs: 0 });
  const refused = new UtensilError('model_unauthorized', 'No key.');
  const model = scriptedModel([{ text: 'Half an', breaks: busy }, { breaks: refused }]);
  const other = scriptedModel([{ text: 'Whole.' }], { id: 'other-1' });
  const written = await shown(model, {}, [other]);
  expect(written).toContain(`Half an

⟳ The model is overloaded. Trying again.
What is written above of this answer
does not count.
⟳ No key. Asking other-1 instead.

Whole.`);
});

it('says which limit ended an answer', async () => {
  const model = scriptedModel([{ calls: [{ name: 'copy', input: { text: 'a' } }] }, { text: 'The end.' }]);
  const written = await shown(model, { steps: 1 });
  expect(written).toContain('The limit of steps is reached. The last answer:\n\nThe end.\n');
});

it('says in a line each that a result has a recording or a link, which do nothing to the terminal', () => {
  const parts = [
    { type: 'audio', mediaType: 'audio/wav', name: 'a.wav', data: 'UklGRg==' },
    { type: 'resource-link', uri: 'x:\u001b[2J', name: 'a\nb', description: 'Not shown.' },
  ] as const;
  const lines = resultLines(
    {
      type: 'tool-end',
      callId: '1',
      name: 'copy',
      durationMs: 1,
      result: { output: '', modelParts: parts, isError: false },
      runId: 'r',
      seq: 1,
      time: 0,
    },
    { colors: pc.createColors(false), columns: () => 40 },
  );
  expect(lines).toEqual(['  ✓ [audio/wav a.wav]', '    [link to a b: x:␛[2J]']);
});
