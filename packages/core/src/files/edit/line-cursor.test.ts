import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineCursor } from './line-cursor.ts';
import type { SearchableText } from './line-cursor.ts';

/** A text that counts the characters that are looked at. */
function counted(text: string): { readonly text: SearchableText; readonly looks: () => number } {
  let looks = 0;
  const indexOf = (sought: string, from = 0): number => {
    const found = text.indexOf(sought, from);
    looks += (found === -1 ? text.length : found + 1) - from;
    return found;
  };
  const charAt = (index: number): string => {
    looks++;
    return text.charAt(index);
  };
  return { text: { indexOf, charAt }, looks: () => looks };
}

describe('createLineCursor', () => {
  const text = fc.array(fc.constantFrom('a', 'bc', '\n', '\r\n', '\r')).map((pieces) => pieces.join(''));

  it('knows the line of each offset and its line break, in whatever order it is asked', () => {
    const property = fc.property(text, fc.array(fc.nat(40)), (whole, offsets) => {
      const cursor = createLineCursor(whole);
      for (const offset of offsets) {
        const [before, behind] = [whole.slice(0, offset), whole.slice(offset)];
        const next = behind.includes('\n') ? before + behind.slice(0, behind.indexOf('\n') + 1) : before;
        expect(cursor.lineAt(offset)).toBe(before.split('\n').length);
        expect(cursor.breakAt(offset)).toBe(/\r\n[^\n]*$/.test(next) ? '\r\n' : '\n');
      }
    });
    expect(() => fc.assert(property, { numRuns: 500 })).not.toThrow();
  });

  it.each([
    ['one long line', 'x'.repeat(10_000)],
    ['one long line behind others', `a\r\n${'x'.repeat(10_000)}`],
    ['empty lines', '\n'.repeat(10_000)],
    ['lines', 'some words\r\n'.repeat(1_000)],
  ])('looks at %s twice at the most, however many places are in it', (_what, whole) => {
    const outer = counted(whole);
    const cursor = createLineCursor(outer.text);
    for (let offset = 0; offset < whole.length; offset++) cursor.lineAt(offset);
    expect(outer.looks()).toBeLessThanOrEqual(whole.length);
    for (let offset = whole.length - 2; offset < whole.length; offset++) cursor.breakAt(offset);
    expect(outer.looks()).toBeLessThanOrEqual(2 * whole.length + 2);
  });
});
