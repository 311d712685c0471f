import { describe, expect, inject, it } from 'vitest';
import type { DialectName } from './dialects.ts';
import { dialects } from './dialects.ts';
import { lookedAt, piecesOf } from './test-kit/hostile.ts';
import { cut, partsOf, presetNames } from './test-kit/text-model.ts';

const size = inject('isLong') ? 50_000 : 1_000;

/** Characters of a text of one piece that are looked at again and again. */
async function workOf(piece: string, length: number, dialect: DialectName | 'auto'): Promise<number> {
  const chunks = cut(piece.repeat(Math.ceil(length / piece.length)), Math.ceil(length / 30));
  return lookedAt(() => partsOf(chunks, { dialect }));
}

describe.each(presetNames)('a text of delimiters of the dialect %s', (name) => {
  it.each([name, 'auto'] as const)('is read in work that grows as its length does, in %s', async (dialect) => {
    const quadratic: string[] = [];
    for (const word of piecesOf(dialects[name])) {
      for (const piece of [word, `\n${word}`]) {
        const [half, whole] = [await workOf(piece, size, dialect), await workOf(piece, 2 * size, dialect)];
        const most = 2.5 * half + 8_000;
        if (whole <= most) continue;
        const again = await workOf(piece, 2 * size, dialect); // the first count may have filled caches
        if (again > most) quadratic.push(`${JSON.stringify(piece)}: ${half}, then ${whole} and ${again}`);
      }
    }
    expect(quadratic).toEqual([]);
  });
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
