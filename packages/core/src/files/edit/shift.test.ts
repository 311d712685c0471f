import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberLines } from './numbered-lines.ts';
import type { NumberedLines } from './numbered-lines.ts';
import { rewritings } from './rewriting.ts';
import { shiftsOf } from './shift.ts';

function numbered(contents: readonly string[]): NumberedLines {
  let start = 0;
  return numberLines(
    contents.map((content) => {
      const line = { content, start, end: start + content.length, next: start + content.length + 1 };
      start = line.next;
      return line;
    }),
  );
}

const blanks = /^[ \t]*/;
const indentationOf = (line: string): string => blanks.exec(line)?.[0] ?? '';

/** Every way to indent lines otherwise: each rewriting behind some blanks, or some blanks less. */
function* shiftsBetween(source: string, target: string): Generator<(line: string) => string | undefined> {
  for (const rewrite of rewritings) {
    for (let length = 0; length <= target.length; length++) {
      yield (line) => {
        const rewritten = rewrite(indentationOf(line));
        return rewritten === undefined ? undefined : target.slice(0, length) + line.replace(blanks, rewritten);
      };
    }
  }
  for (let length = 1; length <= source.length; length++)
    yield (line) => (line.startsWith(source.slice(0, length)) ? line.slice(length) : undefined);
}

/** True if one shift of indentation maps all old lines to the found ones, and can be applied to the new lines. */
function isShift(found: readonly string[], oldLines: readonly string[]): boolean {
  const first = oldLines.findIndex((line) => line !== '');
  const ways = shiftsBetween(indentationOf(oldLines[first] ?? ''), indentationOf(found[first] ?? ''));
  const shifts = (way: (line: string) => string | undefined): boolean =>
    oldLines.every((line, index) => (line === '' ? '' : way(line)) === found[index]);
  return [...ways].some(shifts);
}

describe('shiftsOf', () => {
  const indentation = fc.constantFrom('', ' ', '  ', '    ', '      ', '\t', '\t\t', '\t  ', '  \t');
  const line = fc.oneof(
    fc.constant(''),
    fc.tuple(indentation, fc.constantFrom('a', 'b')).map((parts) => parts.join('')),
  );

  it('finds a rule where trying each of them would', () => {
    const some = { shifted: 0, not: 0 };
    const property = fc.property(
      fc.array(line, { minLength: 1, maxLength: 4 }),
      fc.array(line, { maxLength: 3 }),
      indentation,
      fc.array(line, { minLength: 1, maxLength: 4 }),
      (oldLines, above, added, others) => {
        fc.pre(oldLines.some((each) => each !== ''));
        const moved = oldLines.map((each) => (each === '' ? '' : added + each));
        const lines = [...above, ...moved, ...others];
        const shifts = shiftsOf(numbered(lines), { oldLines, newLines: oldLines });
        for (let start = 0; start + oldLines.length <= lines.length; start++) {
          const found = lines.slice(start, start + oldLines.length);
          if (found.map((each) => each.trim()).join('\n') !== oldLines.map((each) => each.trim()).join('\n')) continue;
          const shift = shifts(start);
          some[shift === undefined ? 'not' : 'shifted']++;
          const written = shift && oldLines.map((_, index) => shift.write(index));
          expect(written).toEqual(isShift(found, oldLines) ? found : undefined);
        }
      },
    );
    fc.assert(property, { numRuns: 2000, seed: 7 });
    expect(some.shifted).toBeGreaterThan(1000);
    expect(some.not).toBeGreaterThan(30);
  });

  it('says how much is written, at the most', () => {
    const lines = numbered(['      a', '        b']);
    const shift = shiftsOf(lines, { oldLines: ['a', '  b'], newLines: ['a', '', '  c'] })(0);
    const written = [0, 1, 2].map((index) => shift?.write(index));
    expect(written).toEqual(['      a', '', '        c']);
    expect(shift?.size).toBeGreaterThanOrEqual(written.join('\n').length);
  });

  it('looks at each line a few times, however many places there are', () => {
    const count = 2_000;
    let looks = 0;
    const counted = (numbers: readonly number[]): readonly number[] =>
      new Proxy(numbers, {
        get(target, key) {
          if (key !== 'length') looks++;
          return Reflect.get(target, key) as unknown;
        },
      });
    const { steps, lines, ...others } = numbered(Array.from({ length: count }, () => '  a'));
    const oldLines = [...Array.from({ length: count / 2 }, () => 'a'), ' a'];
    const shifts = shiftsOf({ ...others, lines, steps: counted(steps) }, { oldLines, newLines: ['b'] });
    for (let start = 0; start + oldLines.length <= count; start++) expect(shifts(start)).toBeUndefined();
    expect(looks).toBeLessThanOrEqual(4 * rewritings.length * count);
  });
});
