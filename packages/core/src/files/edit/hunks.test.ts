import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hunksOf, isOneSided } from './hunks.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 8 });

describe('hunksOf', () => {
  it.each([
    ['abc', 'abc', []],
    ['abc', 'axc', [{ oldStart: 1, oldEnd: 2, newStart: 1, newEnd: 2 }]],
    ['abc', 'abxc', [{ oldStart: 1, oldEnd: 2, newStart: 1, newEnd: 3 }]],
    ['abc', 'xabc', [{ oldStart: 0, oldEnd: 1, newStart: 0, newEnd: 2 }]],
    ['abc', 'ac', [{ oldStart: 0, oldEnd: 2, newStart: 0, newEnd: 1 }]],
    [
      'abcde',
      'xbcdy',
      [
        { oldStart: 0, oldEnd: 1, newStart: 0, newEnd: 1 },
        { oldStart: 4, oldEnd: 5, newStart: 4, newEnd: 5 },
      ],
    ],
  ])('from %s to %s', (from, to, hunks) => {
    expect(hunksOf([...from], [...to], isOneSided)).toEqual(hunks);
  });

  it('are places between lines where no neighbour is needed', () => {
    expect(hunksOf([...'abc'], [...'xacy'], () => false)).toEqual([
      { oldStart: 0, oldEnd: 0, newStart: 0, newEnd: 1 },
      { oldStart: 1, oldEnd: 2, newStart: 2, newEnd: 2 },
      { oldStart: 3, oldEnd: 3, newStart: 3, newEnd: 4 },
    ]);
  });

  it('lead from the one to the other, with lines on both sides', () => {
    const property = fc.property(lines, lines, (from, to) => {
      const result: string[] = [];
      let done = 0;
      for (const { oldStart, oldEnd, newStart, newEnd } of hunksOf(from, to, isOneSided)) {
        expect(oldStart).toBeLessThan(oldEnd);
        expect(newStart).toBeLessThan(newEnd);
        expect(oldStart).toBeGreaterThanOrEqual(done);
        result.push(...from.slice(done, oldStart), ...to.slice(newStart, newEnd));
        done = oldEnd;
      }
      expect([...result, ...from.slice(done)]).toEqual(to);
    });
    expect(() => fc.assert(property, { numRuns: 1000 })).not.toThrow();
  });

  it('are one if there is too much to compare', () => {
    const many = (name: string): readonly string[] =>
      Array.from({ length: 1100 }, (_, index) => `${name} ${index % 2}`);
    expect(hunksOf(['a', ...many('x'), 'z'], ['a', ...many('y'), 'z'], isOneSided)).toEqual([
      { oldStart: 1, oldEnd: 1101, newStart: 1, newEnd: 1101 },
    ]);
  });
});
