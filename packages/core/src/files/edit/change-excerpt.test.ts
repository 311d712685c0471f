import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptOfChange } from './change-excerpt.ts';

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}\n`).join('');

describe('excerptOfChange', () => {
  it('leaves a change of short texts unchanged', () => {
    expect(excerptOfChange({ before: 'a\n', after: 'b\n' })).toEqual({ before: 'a\n', after: 'b\n' });
    expect(excerptOfChange({ after: '' })).toEqual({ after: '' });
    expect(excerptOfChange({ before: 'a' })).toEqual({ before: 'a' });
  });

  it('shows of long texts where they differ, with as much around it', () => {
    const [above, below] = [lines(50_000), lines(60_000)];
    const { before = '', after = '' } = excerptOfChange({
      before: `${above}old\n${below}`,
      after: `${above}new\n${below}`,
    });
    const [opening, ...shown] = before.split('\n');
    expect(opening).toBe(`(${(above.length - 1_000).toLocaleString('en')} characters that stay)`);
    expect(shown.at(-1)).toBe(`(${(below.length + 1 - 1_000).toLocaleString('en')} characters that stay)`);
    expect(before).toContain('line 49999\nold\nline 0\n');
    expect(after).toBe(before.replace('old\n', 'new\n'));
  });

  it('shows only the beginning of a long new text', () => {
    const { before, after = '' } = excerptOfChange({ after: 'x'.repeat(10_000_000) });
    expect(before).toBeUndefined();
    expect(after).toMatch(/^x{100000}… \(9,900,000 more characters\)$/);
  });

  it('is bounded, parts no character, and differs where the texts do', () => {
    const part = fc
      .tuple(fc.constantFrom('a', '😀', 'b\n', 'ab'), fc.nat(60_000))
      .map(([text, times]) => text.repeat(times));
    const property = fc.property(part, part, part, part, (head, old, now, tail) => {
      const change = excerptOfChange({ before: head + old + tail, after: head + now + tail });
      for (const text of [change.before ?? '', change.after ?? '']) {
        expect(text.length).toBeLessThan(101_000);
        expect(/\p{Cs}/u.test(text)).toBe(false);
      }
      const isShown = old.length + now.length < 50_000; // otherwise they may differ after the excerpt
      expect(isShown && (change.before === change.after) !== (old === now)).toBe(false);
    });
    expect(() => fc.assert(property, { numRuns: 100 })).not.toThrow();
  });
});
