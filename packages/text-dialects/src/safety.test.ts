import { describe, expect, inject, it } from 'vitest';
import { dialects } from './presets.ts';
import { callsIn, cut, merged, partsOf, tools } from './test-kit/text-model.ts';
import { indexTools } from './tool-index.ts';
import { writeInDialect } from './write-calls.ts';

/** Numbers that are the same in each run. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const index = indexTools(tools);
const calls = Object.values(dialects).map((dialect) =>
  writeInDialect(dialect, [{ name: 'read_file', input: { path: 'a' } }], index),
);
const words = [
  'Well.',
  'I see:',
  '\n',
  '\n\n',
  ' ',
  'a < b',
  '[1]',
  '{x}',
  '`',
  '"',
  '- ',
  '<b>',
  'call',
  '\t',
  '<',
  '|',
];
const thoughts = [
  ['<think>', '</think>'],
  ['<seed:think>', '</seed:think>'],
  ['[THINK]', '[/THINK]'],
] as const;
const fences = ['```', '```json', '```xml', '~~~', '````text'] as const;

function proseOf(random: (below: number) => number): string {
  return Array.from({ length: random(6) }, () => words[random(words.length)] ?? '').join('');
}

/** A text whose calls all stand in a thought or in a fence that is closed. */
function hiddenCall(random: (below: number) => number): string {
  const call = calls[random(calls.length)] ?? '';
  if (random(2) === 0) {
    const [open, close] = thoughts[random(thoughts.length)] ?? thoughts[0];
    const written = random(3) === 0 && open === '<think>' ? '' : open; // the template may have written it
    return `${written}\nI could:\n${call}\n${proseOf(random)}\n${close}\n${random(2) === 0 ? 'Done.' : ''}`;
  }
  const open = fences[random(fences.length)] ?? '```';
  const close = /^[`~]+/.exec(open)?.[0] ?? '';
  return `Like this.\n\n${open}\n${call}\n${close}\n${random(2) === 0 ? 'Done.' : ''}`;
}

describe('calls in thoughts and fences', () => {
  it('are not run in any of many random texts', async () => {
    const random = seeded(1);
    const run: string[] = [];
    for (let count = 0; count < (inject('isLong') ? 20_000 : 2_000); count++) {
      const text = hiddenCall(random);
      const chunks = count % 4 === 0 ? cut(text, 1 + random(5)) : [text];
      if (callsIn(merged(await partsOf(chunks))).length > 0) run.push(text);
    }
    expect(run).toEqual([]);
  });
});
