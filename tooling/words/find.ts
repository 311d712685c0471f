// Finds tics and replaced words in the English of a file.

import type { Passage } from './prose.ts';
import { commentsOf, paragraphsOf, textsOf } from './prose.ts';
import { type Term, wordPattern } from './glossary.ts';
import { type Kind, tics } from './tics.ts';

export interface Hit {
  readonly path: string;
  readonly line: number;
  readonly kind: Kind;
  /** Name of the tic. */
  readonly tic: string;
  readonly advice: string;
  /** The words that matched, with their surroundings. */
  readonly text: string;
}

interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly kinds?: readonly Kind[];
  readonly advice: string;
}

/** The tics, and a rule for each word that the glossary replaces. */
export function rulesWith(glossary: readonly Term[]): readonly Rule[] {
  const replaced = glossary.flatMap(({ term, instead }) =>
    instead.map((word) => ({ name: `"${word}"`, pattern: wordPattern(word), advice: `the word is "${term}"` })),
  );
  return [...tics, ...replaced];
}

/** Matches of the rules in a passage of the kind. */
export function hitsIn(text: string, kind: Kind, rules: readonly Rule[]): readonly Omit<Hit, 'path' | 'line'>[] {
  return rules
    .filter(({ kinds }) => kinds === undefined || kinds.includes(kind))
    .flatMap(({ name, pattern, advice }) =>
      [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({
        kind,
        tic: name,
        advice,
        text: text.slice(Math.max(0, index - 30), index + Math.min(length, 160) + 40),
      })),
    );
}

const isModule = /\.[cm]?tsx?$|\.m?js$/;
const isShipped = /^(?:packages|apps)\/[^/]+\/src\/(?!.*(?:\.test(?:-d)?\.|\.examples\.|\/?test-kit\/|\/testing\/))/;

/** Passages of a file by kind. Generated documents, recordings and golden files are nobody's prose. */
function passagesOf(path: string, source: string): readonly (readonly [Kind, readonly Passage[]])[] {
  if (/(?:^|\/)(?:golden|sample|fixtures\/recordings)\//.test(path)) return [];
  if (path.endsWith('.md')) return [['documents', paragraphsOf(source)]];
  if (!isModule.test(path)) return [];
  const texts: readonly Passage[] = isShipped.test(path) ? textsOf(path, source) : [];
  return [
    ['comments', commentsOf(path, source)],
    ['texts', texts],
  ];
}

/** Hits in a file, in the order of its lines. */
export function hitsOf(path: string, source: string, rules: readonly Rule[]): readonly Hit[] {
  const hits = passagesOf(path, source).flatMap(([kind, passages]) =>
    passages.flatMap(({ line, text }) => hitsIn(text, kind, rules).map((hit) => ({ ...hit, path, line }))),
  );
  return hits.toSorted((one, other) => one.line - other.line);
}
