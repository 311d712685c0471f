import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newWork } from '../work.ts';
import { toMatcher } from './matcher.ts';
import type { Matcher } from './matcher.ts';

const compiled = (source: string): Matcher =>
  toMatcher(source, {
    room: { left: 20_000 },
    refuse(problem, advice) {
      throw new Error(`${problem}: ${advice}`);
    },
  });

const matches = (source: string, text: string): boolean => compiled(source)(text, newWork());

/** Patterns of the syntax that the platform takes, and texts of few characters, so that many of them match. */
const atom = fc.constantFrom(
  ...['a', 'b', '.', '\\w', '\\W', '[ab]', '[^a]', '\\d', '\\s', '\\n', '😀', '\\u{1F600}', '\\uD83D\\uDE00', 'é'],
  ...['^', '$', '\\b', '\\B', '', '\\p{L}', '\\x61', '\\/', '[\\]\\-a]', '[\\d_]', '\\cJ', '\\0', '[^\\p{L}]', '[.]'],
);
const isQuantifiable = (source: string): boolean => !['^', '$', '\\b', '\\B', ''].includes(source);
const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '{0}', '{1,}', '*?', '{0,3}?');
const pattern = fc.letrec<{ choice: string; part: string }>((tie) => ({
  choice: fc
    .array(fc.array(tie('part'), { maxLength: 3 }), { minLength: 1, maxLength: 2 })
    .map((choices) => choices.map((parts) => parts.join('')).join('|')),
  part: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.tuple(atom, quantifier).map(([one, times]) => (isQuantifiable(one) ? one + times : one)),
    fc.tuple(tie('choice'), quantifier).map(([inner, times]) => `(?:${inner})${times}`),
    fc.tuple(tie('choice'), quantifier).map(([inner, times]) => `(${inner})${times}`),
    fc.tuple(fc.constantFrom('?=', '?!', '?<=', '?<!'), tie('choice')).map(([kind, inner]) => `(${kind}${inner})`),
  ),
})).choice;
const text = fc
  .array(fc.constantFrom('a', 'b', '1', '_', ' ', '\n', '😀', '\uD83D', '\uDE00', 'é', '-', ']', '\0', '.'), {
    maxLength: 7,
  })
  .map((characters) => characters.join(''));

/** By the platform, from each character on: on its own, it also looks from the middle of a surrogate pair on. */
function isMatch(source: string, subject: string): boolean {
  const expression = new RegExp(source, 'uy');
  const starts = [...subject].map((_, index, all) => all.slice(0, index).join('').length);
  return [...starts, subject.length].some((start) => {
    expression.lastIndex = start;
    return expression.test(subject);
  });
}

describe('toMatcher', () => {
  it('matches as the platform does, look-around and surrogates included', () => {
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        expect(matches(source, subject)).toBe(isMatch(source, subject));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    // Patterns of real schemas, among them those of zod for addresses and times.
    ['^[a-z][a-z0-9-]{1,62}$', ['abc', 'a-1'], ['Abc', 'a', '-a']],
    [
      "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
      ['a.b@c.de'],
      ['.a@b.de', 'a..b@c.de', 'a@b'],
    ],
    ['^(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(?:\\.(?!$)|$)){4}$', ['127.0.0.1'], ['127.0.0', '256.0.0.1']],
    ['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z)$', ['2024-01-01T10:00Z'], ['2024-01-01']],
    ['^\\p{Lu}\\p{Script=Latin}+$', ['Élan'], ['élan', 'Ж']],
    ['(?<=\\$)\\d+(?<!0)$', ['costs $25'], ['costs 25', '$10']],
    ['^(?<year>\\d+)$', ['2024'], ['x']],
    ['^\\S+$', ['a'], ['a b', '']],
    ['^/(?:[^/\\0]+/)*[^/\\0]*$', ['/', '/a/b'], ['a']],
  ])('judges by %s', (source, valid, invalid) => {
    expect(valid.filter((each) => !matches(source, each))).toEqual([]);
    expect(invalid.filter((each) => matches(source, each))).toEqual([]);
  });

  it('tried ^(a+)+$ and its kin for minutes: a character of the text costs a few steps', () => {
    const length = 10_000;
    const hostile = [
      '^(a+)+$',
      '(a*)*b',
      '(a|aa)+$',
      '(a|a)*c',
      '([a-z]+)+\\d',
      '(.*)(.*)(.*)x',
      '(?=(a+)+b)',
      '(?<!(a|aa)*)c',
      '^(?=.*b)(?=.*(a*)*c)',
    ];
    for (const source of hostile) {
      const work = newWork();
      const before = work.left;
      expect(compiled(source)(`${'a'.repeat(length)}!`, work)).toBe(false);
      expect((before - work.left) / length).toBeLessThan(6);
    }
  });

  it('stops where a long text and a large pattern are too much work', () => {
    expect(() => matches('(?:a?){900}a{900}b', 'a'.repeat(100_000))).toThrow(
      expect.objectContaining({ code: 'schema_too_costly' }),
    );
  });

  it.each([
    ['a back-reference', '(a)\\1', 'refers back to a group (\\1)'],
    ['a back-reference by name', '(?<n>a)\\k<n>', 'refers back to a group (\\k<n>)'],
    ['flags', '(?i:a)', 'flags in a group'],
    ['a class that ends before it begins', '[z-a]', 'invalid pattern'],
    ['a group without an end', '(', 'invalid pattern'],
    ['6,000 characters', 'a'.repeat(6000), 'too long'],
    ['10^9 repetitions', '((a{1000}){1000}){1000}', 'too large'],
    [
      '10^36 repetitions of nothing, and 50,000 of a',
      '((((){1000000000}){1000000000}){1000000000}){1000000000}a{50000}',
      'too large',
    ],
    ['60 groups inside each other', `${'('.repeat(60)}${')'.repeat(60)}`, 'deep groups'],
  ])('refuses %s', (_, source, said) => {
    expect(() => compiled(source)).toThrow(said);
  });
});
