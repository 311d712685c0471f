import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { occurrencesOf } from './occurrences.ts';
import type { Sequence } from './occurrences.ts';

/** A sequence that counts how often it is looked at. */
function counted(text: string): { readonly sequence: Sequence; readonly looks: () => number } {
  let looks = 0;
  const sequence = new Proxy(
    { length: text.length },
    {
      get(target, key) {
        if (key === 'length') return target.length;
        looks++;
        return text[Number(key)];
      },
    },
  );
  return { sequence, looks: () => looks };
}

describe('occurrencesOf', () => {
  it('finds every place, as one look at each would', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 20 });
    const property = fc.property(
      letters,
      fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 4 }),
      (text, sought) => {
        const starts = Array.from(text, (_, index) => index).filter((index) => text.startsWith(sought, index));
        expect([...occurrencesOf(text, sought)]).toEqual(sought === '' ? [] : starts);
      },
    );
    expect(() => fc.assert(property, { numRuns: 500 })).not.toThrow();
  });

  it('finds numbers too', () => {
    expect([...occurrencesOf([1, 2, 1, 2, 1], [1, 2, 1])]).toEqual([0, 2]);
  });

  it.each([
    ['a'.repeat(2000), `${'a'.repeat(1000)}b`],
    ['a'.repeat(2000), 'a'.repeat(1000)],
    ['ab'.repeat(1000), `${'ab'.repeat(400)}c`],
    [`${'a'.repeat(40)}b`.repeat(40), 'a'.repeat(41)],
  ])('looks at a text a few times at the most, whatever is sought', (text, sought) => {
    const [outer, inner] = [counted(text), counted(sought)];
    const found = [...occurrencesOf(outer.sequence, inner.sequence)];
    expect(found).toEqual([...occurrencesOf(text, sought)]);
    expect(outer.looks()).toBeLessThanOrEqual(4 * text.length);
    expect(inner.looks()).toBeLessThanOrEqual(4 * (text.length + sought.length));
  });
});
