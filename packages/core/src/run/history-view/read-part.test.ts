import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readPart } from './read-part.ts';

it('returns a part, its position, and how to continue', () => {
  expect(readPart('0123456789', { offset: 2, length: 3, limit: 1_000 })).toBe(
    '[characters 2–5 of 10]\n234\n[More follows: continue at offset 5.]',
  );
  expect(readPart('0123456789', { offset: 5, limit: 1_000 })).toBe('[characters 5–10 of 10]\n56789');
  expect(readPart('0123456789', { offset: 10, limit: 1_000 })).toBe(
    'There are 10 characters: nothing is at offset 10.',
  );
  expect(readPart('0123456789', { offset: -3.5, length: Number.NaN, limit: 1_000 })).toMatch(
    /^\[characters 0–2 of 10\]\n01\n/,
  );
});

it('reads any text to its end in parts that are never longer than the limit, and splits no character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'Z', '7', '\n', 'é', '😀'), maxLength: 1_000 }),
      fc.integer({ min: 250, max: 900 }),
      (text, limit) => {
        let read = '';
        let longest = 0;
        for (let offset: number | undefined = 0; offset !== undefined && offset < text.length;) {
          const part = readPart(text, { offset, limit });
          longest = Math.max(longest, part.length);
          const next: string | undefined = /\n\[More follows: continue at offset (\d+)\.\]$/.exec(part)?.[1];
          read += part.slice(part.indexOf('\n') + 1, next === undefined ? undefined : part.lastIndexOf('\n'));
          offset = next === undefined ? undefined : Number(next);
        }
        expect(read === text && longest <= limit).toBe(true);
        expect(/\p{Cs}/u.test(read)).toBe(false);
      },
    ),
  );
});
