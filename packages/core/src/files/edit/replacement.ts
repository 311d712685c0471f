import type { TextReplacement } from '../files.ts';
import type { TextChange } from './changes.ts';
import type { LineRange } from './line-breaks.ts';

/** One replacement of an edit. Without `all`, its text must be at one place only. */
export interface Replacement extends TextReplacement {
  /** Both texts are whole lines, each ending in a line break, as those of a SEARCH/REPLACE block. */
  readonly lines?: boolean;
}

/**
 * What had to be left out of account to find a text: nothing (`exact`), line breaks, blanks at the ends of lines, how
 * characters are written (quotes, dashes, spaces, compatibility forms), how far the lines are indented.
 */
export type MatchStage = 'exact' | 'line-breaks' | 'blanks' | 'characters' | 'indentation';

/** One place that an edit changed. */
export interface EditedPlace extends TextChange {
  /** Which of the replacements, from 0. */
  readonly replacement: number;
  readonly stage: MatchStage;
  /** The lines that were there. */
  readonly oldLines: LineRange;
  /** The lines that are there now. */
  readonly newLines: LineRange;
}

/** A text before and after an edit. */
export interface EditedText {
  readonly before: string;
  readonly text: string;
  /** In the order of their places. */
  readonly places: readonly EditedPlace[];
}
