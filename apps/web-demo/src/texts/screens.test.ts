import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Words between tags, and in attributes that people read or hear. */
const words = [
  /(?<!=)>\s*([A-Z][a-z]+[^<>{}=;]*)\s*</g,
  /\b(?:aria-label|title|placeholder|alt)="([^"]*[A-Za-z][^"]*)"/g,
];

function wordsIn(source: string): readonly string[] {
  return words.flatMap((pattern) => [...source.matchAll(pattern)].map(([, found = '']) => found.trim()));
}

it('finds words that a screen has of its own', () => {
  expect(wordsIn('<button>\n  Send\n</button>')).toEqual(['Send']);
  expect(wordsIn('<ul aria-label="Attached">')).toEqual(['Attached']);
});

it('leaves no words in screens, so that all can be translated', () => {
  const files = globSync('**/*.tsx', { cwd: root });
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap((file) => wordsIn(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
