import { createSigns } from '../text/signs.ts';
import type { Signs } from '../text/signs.ts';

/** A code fence that is open. */
export interface Fence {
  readonly sign: string;
  readonly length: number;
  /** True if it has calls in it and is not for people. */
  readonly isCall: boolean;
}

/** Position of the scan. */
export interface Cursor {
  /** Blank characters since the line began; -1 where others are among them. */
  indent: number;
  /** The line is quoted, or a row of a table. */
  isQuote: boolean;
  /** The character before this one. */
  before: string;
  /** The backticks that opened a code span; 0 outside of one. */
  ticks: number;
  fence: Fence | undefined;
  calls: number;
  /** Opening tags of thoughts that were mentioned, and not closed. */
  mentions: number;
}

export function createCursor(): Cursor {
  return { indent: 0, isQuote: false, before: '', ticks: 0, fence: undefined, calls: 0, mentions: 0 };
}

/** Moves on behind a text, of which only the last line counts. */
export function advance(cursor: Cursor, text: string): void {
  if (text === '') return;
  let at = text.lastIndexOf('\n') + 1;
  if (at > 0) {
    cursor.indent = 0;
    cursor.isQuote = false;
    cursor.ticks = 0;
  }
  cursor.before = text.charAt(text.length - 1);
  for (; cursor.indent >= 0 && at < text.length; at++) {
    const char = text.charAt(at);
    if (char === ' ' || char === '\t' || char === '\r') cursor.indent++;
    else {
      cursor.isQuote = char === '>' || char === '|';
      cursor.indent = -1;
    }
  }
}

const fenceSigns = createSigns(['```', '~~~']);
const lineSigns = createSigns(['`', '\n']);

/** Words that can end the code or the quote at the cursor, in which no other counts; undefined outside of both. */
export function codeSigns({ fence, isQuote, ticks }: Cursor): Signs | undefined {
  if (fence?.isCall === false) return fenceSigns;
  return isQuote || ticks > 0 ? lineSigns : undefined;
}
