import { describe, expect, inject, it } from 'vitest';
import { knownThoughts } from './lexicon.ts';
import { dialects } from '../dialects/dialects.ts';
import { callsIn, cut, merged, partsOf, tools } from '../test-kit/text-model.ts';
import { traps } from '../test-kit/traps.ts';
import { indexTools } from '../read/tool-index.ts';
import { writeInDialect } from '../write/write-calls.ts';

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
const fences = ['```', '```json', '```xml', '~~~', '````text'] as const;

/** Models of all families: `auto` reads the forms of each a little differently. */
const ids = ['some-model', ...Object.keys(traps)];

function proseOf(random: (below: number) => number): string {
  return Array.from({ length: random(6) }, () => words[random(words.length)] ?? '').join('');
}

/** A text whose calls all stand in a thought or in a fence that is closed. */
function hiddenCall(random: (below: number) => number): string {
  const call = calls[random(calls.length)] ?? '';
  if (random(2) === 0) {
    const { open, close } = knownThoughts[random(knownThoughts.length)] ?? { open: '<think>', close: '</think>' };
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
    for (let count = 0; count < (inject('isLong') ? 20_000 : 500); count++) {
      const text = hiddenCall(random);
      const chunks = count % 4 === 0 ? cut(text, 1 + random(5)) : [text];
      const id = ids[random(ids.length)] ?? '';
      if (callsIn(merged(await partsOf(chunks, { id }))).length > 0) run.push(`${id}: ${text}`);
    }
    expect(run).toEqual([]);
  });
});
