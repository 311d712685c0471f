import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { transcript } from './transcript.ts';

const of = (limit: number, ...pieces: readonly (string | readonly [dropped: number, text: string])[]): string => {
  const all = transcript(limit);
  for (const piece of pieces) {
    const [dropped, text] = typeof piece === 'string' ? [0, piece] : piece;
    all.add(text, dropped);
  }
  return all.text();
};

describe('a transcript', () => {
  it('is all of a text that is short enough', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 5 }), { maxLength: 20 }), (pieces) => {
        expect(of(100, ...pieces)).toBe(pieces.join(''));
      }),
      { numRuns: 200 },
    );
  });

  it('is the beginning and the end of a longer one, with how much is missing', () => {
    expect(of(10, 'abcdefgh', 'ijklmnopqrst')).toBe('abcdefg\n[… 10 of 20 characters were not kept …]\nrst');
  });

  it('reports output dropped by the host, before the output that follows it', () => {
    expect(of(10, 'ab', [1_000, 'cd'], 'ef')).toBe('ab\n[… 1001 of 1006 characters were not kept …]\ndef');
  });

  it('counts right however the text comes in pieces', () => {
    const pieces = fc.array(fc.string({ minLength: 1, maxLength: 30 }), { maxLength: 20 });
    fc.assert(
      fc.property(pieces, (some) => {
        expect(of(20, ...some)).toBe(of(20, some.join('')));
      }),
      { numRuns: 300 },
    );
  });
});
