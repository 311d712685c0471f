import { needle } from './tree.ts';

/** A question about the tree. */
export interface Question {
  readonly title: string;
  readonly kind: 'search' | 'glob';
  readonly pattern: string;
  readonly isLiteral?: boolean;
}

/** Questions: texts and regular expressions with few, many, and no matches. */
export const questions: readonly Question[] = [
  { title: 'text, in 10 files', kind: 'search', pattern: needle, isLiteral: true },
  { title: 'text, in none', kind: 'search', pattern: 'there is no such text', isLiteral: true },
  { title: 'regex with a rare text', kind: 'search', pattern: 'hay\\d+ = "a \\w+ in' },
  { title: 'regex, in none', kind: 'search', pattern: '\\bfunction\\s+\\w+Needle\\(' },
  { title: 'regex without a text, in none', kind: 'search', pattern: '[xyz]{3}\\d{2,}' },
  { title: 'regex of whole words, in none', kind: 'search', pattern: '\\b[A-Z]{3,}\\b' },
  { title: 'glob', kind: 'glob', pattern: '**/*7.ts' },
];

/** A contender. */
export type Variant = 'rg' | 'reader' | 'files';

export const variantTitles: Readonly<Record<Variant, string>> = {
  rg: 'ripgrep',
  reader: 'Utensil, with the reader of the directory',
  files: 'Utensil, by the files layer alone',
};

/** `cold`: the first answer of a process. `warm`: later ones. */
export type Temperature = 'cold' | 'warm';
