// The budget of a folder, in the real program with the vendor's SDK.
import { loopback } from '@utensil/tooling-loopback';
import { anthropicStream } from '@utensil/tooling-loopback/anthropic';
import { expect, it } from 'vitest';
import { demo, temporaryFolder } from './test-kit/spawn-demo.ts';

const usage = { input_tokens: 100_000, output_tokens: 100_000 };

it('answers stop when the models of a folder have cost its budget, in a later program too; a larger one goes on', async () => {
  await using server = await loopback(() => ({ body: anthropicStream([{ type: 'text', text: 'Done.' }], { usage }) }));
  await using folder = await temporaryFolder();
  const env = { ANTHROPIC_API_KEY: 'k' };
  const ask = (budget: string) =>
    demo(
      [
        '--folder',
        folder.path,
        '--model',
        'anthropic:claude-opus-5',
        '--base-url',
        server.url,
        '--budget',
        budget,
        'Go.',
      ],
      { env },
    );
  expect(await ask('2.5')).toMatchObject({ code: 0, output: 'Done.\n' });
  const stopped = await ask('2.5');
  expect(stopped.code).toBe(1);
  expect(stopped.all).toContain('The budget of today is used up.');
  expect(server.requests.length).toBe(1);
  expect(await ask('100')).toMatchObject({ code: 0, output: 'Done.\n' });
});

it.each(['ten', '-1', 'NaN', 'Infinity'])('a budget of %s is refused', async (budget) => {
  const { code, errors } = await demo([`--budget=${budget}`, 'Go.']);
  expect([code, errors]).toEqual([2, expect.stringContaining('--budget is a number of dollars')]);
});
