import { expect, it } from 'vitest';
import { hunksOf } from './hunks.ts';

const signs = (before?: string, after?: string): readonly string[] =>
  hunksOf(before, after).flatMap(({ lines }) => lines.map(({ sign, text }) => sign + text));

it('shows differences of texts with Windows line endings, and line endings only if they differ', () => {
  expect(signs('a\r\nb\r\n', 'a\r\nc\r\n')).toEqual([' a', '-b', '+c']);
  expect(signs('a\r\n', 'a\n')).toEqual(['-a\r', '+a']);
  expect(signs('', '')).toEqual([]);
  expect(signs(undefined, 'a\r\n')).toEqual(['+a']);
});

it('shows the changed part, and not the whole file, if comparing would take too long', () => {
  const same = Array.from({ length: 1_000 }, (_, at) => `same ${at}`);
  const lines = (name: string): readonly string[] => Array.from({ length: 100_000 }, (_, at) => `${name} ${at}`);
  const [first, ...rest] = hunksOf(
    [...same, ...lines('old'), ...same].join('\n'),
    [...same, ...lines('new'), ...same].join('\n'),
  );
  expect(rest).toEqual([]);
  expect(first?.lines).toHaveLength(200_000);
  expect(first?.lines[0]).toEqual({ sign: '-', text: 'old 0', oldLine: 1_001 });
  expect(first?.lines.at(-1)).toEqual({ sign: '+', text: 'new 99999', newLine: 101_000 });
});
