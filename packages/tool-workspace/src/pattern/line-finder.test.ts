import * as fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { lineFinder } from './line-finder.ts';
import type { PatternOptions } from './line-finder.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The numbers of the lines, from 1, that match. */
function linesWith(pattern: string, text: string, options?: PatternOptions): readonly number[] {
  const find = lineFinder(pattern, options);
  const bytes = bytesOf(text);
  const lines: number[] = [];
  for (let hit = find(bytes, 0); hit !== undefined; hit = find(bytes, hit.next)) {
    lines.push(new TextDecoder().decode(bytes.subarray(0, hit.start)).split('\n').length);
  }
  return lines;
}

describe('lineFinder', () => {
  it.each<[string, string, readonly number[]]>([
    ['milk', 'buy milk\nsleep\nmilk', [1, 3]],
    ['^milk$', 'milk\r\nmilk \r\nmilk', [1, 3]],
    ['^$', 'a\n\nb\r\n\r\n', [2, 4]],
    ['\\bcat\\b', 'cat\nconcat\nthe cat.\ncats\nçcat', [1, 3]],
    ['a{2,3}b', 'ab\naab\naaaab', [2, 3]],
    ['colou?r|gr[ae]y', 'color\ncolour\ngray\ngrey\ngroy', [1, 2, 3, 4]],
    ['[^a-c]', 'abc\nabcd', [2]],
    ['\\d{4}-\\d\\d', 'in 2026-01\n26-01', [1]],
    ['\\p{Lu}', 'é\nÉ', [2]],
    ['(?i)STRASSE', 'strasse\nStrasse', [1, 2]],
    ['(?P<year>\\d+)', 'a\n1', [2]],
    ['a.c', 'a😀c\nac\naéc', [1, 3]],
    ['x*', 'a\nb', [1, 2]],
    ['\\.ts"', 'a.ts"\nats"', [1]],
    ['[]x]', ']\nx\ny', [1, 2]],
    ['(a|b)+c{2,}', 'abcc\nabc', [1]],
  ])('finds %j', (pattern, text, lines) => {
    expect(linesWith(pattern, text)).toEqual(lines);
  });

  it('loses no line after bytes that are not UTF-8', () => {
    const find = lineFinder('^[n]eedle$');
    const text = [...'caf\xe9\nneedle\n'].map((each) => each.charCodeAt(0));
    expect(find(Uint8Array.from(text), 0)).toMatchObject({ start: 5, end: 11 });
    for (const lead of [0x80, 0xc3, 0xe2, 0xf0, 0xf8, 0xff]) {
      expect(find(Uint8Array.from([lead, ...text.slice(4)]), 0)).toMatchObject({ start: 2 });
    }
  });

  it('takes a literal verbatim, in any case if told to', () => {
    expect(linesWith('a.b(', 'a.b(\naxb(', { literal: true })).toEqual([1]);
    expect(linesWith('Ä.B', 'ä.b\näxb', { literal: true, ignoreCase: true })).toEqual([1]);
    expect(linesWith('x'.repeat(200), `${'x'.repeat(199)}\n${'x'.repeat(201)}`, { literal: true })).toEqual([2]);
  });

  it.each([
    ['(', "A '(' has no ')'"],
    ['a)', "A ')' has no '('"],
    ['[a', "A '[' has no ']'"],
    ['*a', "There is nothing before '*'"],
    ['a\\', 'It ends in a backslash'],
    ['(?=a)', 'Look-around'],
    ['(a)\\1', 'Back-references are not supported'],
    ['a\\nb', 'Lines are searched one by one'],
    ['a\nb', 'Lines are searched one by one'],
    ['[z-a]', 'is not a character class'],
    ['a{3,2}', 'minimum of a repetition'],
    ['a{5000}', 'more than 1000 times'],
    ['((a{1000}){1000}){1000}', 'too large'],
    ['('.repeat(500), 'Groups are at most'],
    ['a'.repeat(3000), 'at most 2000 characters'],
  ])('refuses %s', (pattern, problem) => {
    expect(() => lineFinder(pattern)).toThrow(
      expect.objectContaining({ code: 'EINVAL', message: expect.stringContaining(problem) }),
    );
  });

  const piece = fc.constantFrom(
    'a',
    'b',
    'é',
    '.',
    '\\w',
    '\\b',
    '\\d',
    '[ab]',
    '[^a]',
    '^',
    '$',
    'a?',
    'b*',
    '(a|b)+',
    '(?:ab|é){1,2}',
    '\\B',
  );
  const pattern = fc
    .array(
      fc.array(piece, { minLength: 1, maxLength: 5 }).map((list) => list.join('')),
      { minLength: 1, maxLength: 2 },
    )
    .map((list) => list.join('|'));
  const line = fc
    .array(fc.constantFrom('a', 'b', 'é', '1', ' ', 'ab', '☃'), { maxLength: 8 })
    .map((list) => list.join(''));

  it('[A1-07] finds the lines that a plain scan with the regular expressions of JavaScript finds', () => {
    fc.assert(
      fc.property(
        pattern,
        fc.array(line, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('\n', '\r\n'),
        (source, lines, end) => {
          // Word characters differ beyond ASCII: é is one here.
          const plain = new RegExp(
            source
              .replaceAll('\\b', '(?:(?<=[\\wé])(?![\\wé])|(?<![\\wé])(?=[\\wé]))')
              .replaceAll('\\B', '(?:(?<=[\\wé])(?=[\\wé])|(?<![\\wé])(?![\\wé]))'),
            'u',
          );
          const text = lines.join(end);
          const all = lines.at(-1) === '' ? lines.slice(0, -1) : lines; // a line break at the end opens no further line
          const expected = all.flatMap((each, index) => (plain.test(each) ? [index + 1] : []));
          expect(linesWith(source, text)).toEqual(expected);
        },
      ),
      { numRuns: inject('isLong') ? 2000 : 500 },
    );
  });

  it('is done at once with patterns and texts that make others try for ever', () => {
    const text = `${'a'.repeat(100_000)}\n`.repeat(3);
    const hostile = [
      '(a*)*b',
      '(a|aa)+$b',
      'a*a*a*a*a*a*a*b',
      '(a|a)*b',
      '([a-z]+)+\\d',
      '(.*)(.*)(.*)(.*)x',
      '(a?){300}a{300}c',
    ];
    expect(hostile.map((each) => linesWith(each, text))).toEqual(hostile.map(() => []));
  });

  it('wrote out a group of nothing 1000^5 times, for hours', () => {
    expect(linesWith('(((((){1000}){1000}){1000}){1000}){1000}a', 'b\na')).toEqual([2]);
    expect(linesWith('(?:(?:|){1000}){3}a', 'b\na')).toEqual([2]);
  });

  it('rejects a pattern with a new state at nearly every position of a long text', () => {
    let seed = 1;
    const random = Array.from({ length: 100_000 }, () => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return 'ab'[(seed >>> 16) & 1];
    });
    expect(() => linesWith('a[ab]{900}c', random.join(''))).toThrow(
      expect.objectContaining({ code: 'EINVAL', message: expect.stringContaining('It takes too long on these files') }),
    );
  });

  it('forgets states if there are too many, and goes on', () => {
    const random = Array.from({ length: 60_000 }, (_, index) => 'ab'[(Math.imul(index, 2654435761) >>> 16) & 1]).join(
      '',
    );
    const pattern = 'a[ab]{14}c';
    expect(linesWith(pattern, `${random}\n${random}a${'b'.repeat(14)}c`)).toEqual([2]);
  });
});
