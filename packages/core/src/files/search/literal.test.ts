import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexOfLiteral, toLiteral, unitsOf } from './literal.ts';

describe('indexOfLiteral', () => {
  const text = (maxLength: number) =>
    fc.array(fc.constantFrom('a', 'b', 'ab', 'aaaa', 'š', 'a\u0161'), { maxLength }).map((list) => list.join(''));

  it('finds what a string finds, from any place, in units and in bytes', () => {
    const encoder = new TextEncoder();
    fc.assert(
      fc.property(text(40), text(6).filter(Boolean), fc.nat(50), (given, wanted, from) => {
        const literal = toLiteral(unitsOf(wanted));
        expect(indexOfLiteral(unitsOf(given), literal, from)).toBe(given.indexOf(wanted, from));
        const found = indexOfLiteral(encoder.encode(given), toLiteral(encoder.encode(wanted)));
        expect(found).toBe(Buffer.from(given).indexOf(wanted));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['a text of one letter, and a literal that ends in it', 'a'.repeat(200_000), `b${'a'.repeat(20_000)}`],
    ['a literal that is nearly all there, everywhere', `${'a'.repeat(999)}b`.repeat(200), 'a'.repeat(1500)],
    ['a literal at the very end', `${'ab'.repeat(99_999)}aab`, `${'ab'.repeat(20_000)}aab`],
  ])('is done at once with %s', (_, given, wanted) => {
    expect(indexOfLiteral(unitsOf(given), toLiteral(unitsOf(wanted)))).toBe(given.lastIndexOf(wanted));
  });
});
