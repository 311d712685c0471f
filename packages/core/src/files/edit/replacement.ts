import type { TextReplacement } from '../files.ts';
import type { TextChange } from './changes.ts';
import type { LineRange } from './line-breaks.ts';

/** One replacement of an edit. Without `all`, its text must occur exactly once. */
export interface Replacement extends TextReplacement {
  /** Both texts are whole lines that end in a line break, as in a SEARCH/REPLACE block. */
  readonly lines?: boolean;
}

/**
 * Differences ignored to find a match: none (`exact`), line breaks, trailing whitespace, spelling of characters
 * (quotes, dashes, spaces, compatibility forms), or indentation.
 */
export type MatchStage = 'exact' | 'line-breaks' | 'blanks' | 'characters' | 'indentation';

/** One changed place. */
export interface EditedPlace extends TextChange {
  /** Index of the replacement, from 0. */
  readonly replacement: number;
  readonly stage: MatchStage;
  /** The replaced lines. */
  readonly oldLines: LineRange;
  /** The lines after the edit. */
  readonly newLines: LineRange;
}

/** Result of an edit. */
export interface EditedText {
  readonly before: string;
  readonly text: string;
  /** In order of position. */
  readonly places: readonly EditedPlace[];
}
