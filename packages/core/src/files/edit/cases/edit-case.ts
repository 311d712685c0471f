import type { ErrorCode } from '../../../base/errors.ts';
import { encodeText } from '../../text.ts';
import type { Replacement } from '../replacement.ts';

/** What an {@link EditCase} is about. */
export const editTags = [
  'accents',
  'adjacent',
  'all',
  'already-done',
  'ambiguous',
  'binary',
  'blocks',
  'bom',
  'bounded',
  'compatibility',
  'dashes',
  'deletion',
  'dollar',
  'emoji',
  'empty-file',
  'empty-old',
  'exact',
  'final-newline',
  'formatter',
  'identical',
  'indentation',
  'insertion',
  'invisible',
  'kept',
  'line-breaks',
  'line-numbers',
  'literal',
  'malformed',
  'markers',
  'mixed-line-breaks',
  'multi-line',
  'nearest',
  'not-found',
  'nothing',
  'nul',
  'order',
  'overlap',
  'pattern',
  'quotes',
  'search-all',
  'several',
  'several-hunks',
  'spaces',
  'surrogate',
  'tabs',
  'trailing-blanks',
  'unique',
  'utf-16',
  'whole-lines',
] as const;

/** One of {@link editTags}. */
export type EditTag = (typeof editTags)[number];

/** An edit of a file `/f`, what it leaves and what it says. */
export interface EditCase {
  readonly title: string;
  readonly tags: readonly EditTag[];
  /** The file before; its bytes are {@link editCaseBytes} of it. */
  readonly file: string;
  /** How the text is stored; UTF-8 by default. With `bytes`, each character is one byte. */
  readonly stored?: 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'bytes';
  /** Replacements, or SEARCH/REPLACE blocks. */
  readonly edit: readonly Replacement[] | string;
  /** The file afterwards; absent where the edit is refused, and the file stays as it is. */
  readonly after?: string;
  /** The code of the refusal. */
  readonly code?: ErrorCode;
  /** What a model reads: of `tellEdit`, or the message of the error. */
  readonly says: string;
}

/** The bytes of a file of a case, before or after. */
export function editCaseBytes(text: string, { stored }: EditCase): Uint8Array {
  if (stored === 'bytes') return Uint8Array.from(text, (character) => character.charCodeAt(0));
  const bom = stored !== undefined;
  const encoding = stored === 'utf-16le' || stored === 'utf-16be' ? stored : 'utf-8';
  return encodeText(text, { encoding, bom }, '/f');
}
