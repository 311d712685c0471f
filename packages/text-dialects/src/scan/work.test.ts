import { describe, expect, inject, it } from 'vitest';
import type { DialectName } from '../dialects/dialects.ts';
import { dialects } from '../dialects/dialects.ts';
import { lookedAt, piecesOf } from '../test-kit/hostile.ts';
import { cut, partsOf, presetNames } from '../test-kit/text-model.ts';

const size = inject('isLong') ? 50_000 : 1_000;

/** The same for both lengths: with chunks of other lengths, markup is cut at other places. */
const chunk = inject('isLong') ? 1_663 : 31;

/** Number of characters of a text of one piece that are looked at, however often. */
function workOf(piece: string, length: number, dialect: DialectName | 'auto', cuts = chunk): Promise<number> {
  const chunks = cut(piece.repeat(Math.ceil(length / piece.length)), cuts);
  return lookedAt(() => partsOf(chunks, { dialect }));
}

/** Maximum number of times that a character is looked at if text comes by single characters, on average. */
const most = 128;

it('costs no more after a text that is made up, whose leads fill the cache', async () => {
  const madeUp = Array.from({ length: 4_000 }, (_, index) => `<${index.toString(36)}`).join('');
  await partsOf([madeUp], { dialect: 'auto' });
  const piece = '"{'; // not in the cache yet: this is the first test
  await workOf(piece, 500, 'auto', 1);
  expect((await workOf(piece, 500, 'auto', 1)) / 500).toBeLessThan(most);
});

describe.each(presetNames)('a text of delimiters of the dialect %s', (name) => {
  it.each([name, 'auto'] as const)('is read in work that grows as its length does, in %s', async (dialect) => {
    const quadratic: string[] = [];
    for (const word of piecesOf(dialects[name])) {
      for (const piece of [word, `\n${word}`]) {
        await workOf(piece, 2 * size, dialect); // fills the cache of `near.ts`, which the tests of a file share
        const [half, whole] = [await workOf(piece, size, dialect), await workOf(piece, 2 * size, dialect)];
        if (whole > 2.5 * half + 8_000) quadratic.push(`${JSON.stringify(piece)}: ${half}, then ${whole}`);
      }
    }
    expect(quadratic).toEqual([]);
  });
});

/** A name may have 256 characters, and each is read from its beginning when the next one comes. */
const mostInNames = 2 * 256 + most;

it.each([...presetNames, 'auto'] as const)(
  'is read again only near its end, by single characters, in %s',
  async (dialect) => {
    const pieces = (dialect === 'auto' ? presetNames : [dialect]).flatMap((name) => piecesOf(dialects[name]));
    const expensive: string[] = [];
    for (const piece of new Set(pieces)) {
      await workOf(piece, 500, dialect, 1);
      const work = (await workOf(piece, 500, dialect, 1)) / 500;
      if (work > (/^[\w.]+$/.test(piece) ? mostInNames : most)) expensive.push(`${JSON.stringify(piece)}: ${work}`);
    }
    expect(expensive).toEqual([]);
  },
);

it('is counted the same each time, once caches are filled', async () => {
  const piece = '\n<tool_call>';
  await workOf(piece, size, 'auto');
  const work = await workOf(piece, size, 'auto');
  expect(await workOf(piece, size, 'auto')).toBe(work);
});

it('counts more than twice the work for twice the text, if each character is searched for again', async () => {
  const search = async (text: string): Promise<void> => {
    for (let at = 0; at < text.length; at++) text.indexOf('y', at);
  };
  const [half, whole] = [
    await lookedAt(() => search('x'.repeat(1_000))),
    await lookedAt(() => search('x'.repeat(2_000))),
  ];
  expect(whole).toBeGreaterThan(3.9 * half);
});
