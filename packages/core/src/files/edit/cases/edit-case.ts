import type { ErrorCode } from '../../../base/errors.ts';
import { encodeText } from '../../text.ts';
import type { Replacement } from '../replacement.ts';

/** Topic of an {@link EditCase}. */
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

/** An edit of the file `/f`, its result and its message. */
export interface EditCase {
  readonly title: string;
  readonly tags: readonly EditTag[];
  /** Content before the edit; {@link editCaseBytes} turns it into bytes. */
  readonly file: string;
  /** Encoding of the text. Default: UTF-8. With `bytes`, each character is one byte. */
  readonly stored?: 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'bytes';
  /** Replacements, or SEARCH/REPLACE blocks. */
  readonly edit: readonly Replacement[] | string;
  /** Content after the edit; absent if the edit is refused and the file is unchanged. */
  readonly after?: string;
  /** Error code of the refusal. */
  readonly code?: ErrorCode;
  /** Message for the model: from `tellEdit`, or of the error. */
  readonly says: string;
}

/** The bytes of a case's file, before or after the edit. */
export function editCaseBytes(text: string, { stored }: EditCase): Uint8Array {
  if (stored === 'bytes') return Uint8Array.from(text, (character) => character.charCodeAt(0));
  const bom = stored !== undefined;
  const encoding = stored === 'utf-16le' || stored === 'utf-16be' ? stored : 'utf-8';
  return encodeText(text, { encoding, bom }, '/f');
}
