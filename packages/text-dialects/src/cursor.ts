import type { Fence } from './fence.ts';

/** Where the scan is. */
export interface Cursor {
  /** Blank characters since the line began; -1 where others are among them. */
  indent: number;
  isQuote: boolean;
  /** The backticks that opened a code span; 0 outside of one. */
  ticks: number;
  fence: Fence | undefined;
  calls: number;
}

/** How many characters are text whatever follows; the cursor goes with them. */
export function plainLength(cursor: Cursor, text: string, signs: ReadonlySet<string>): number {
  let length = 0;
  while (length < text.length && !signs.has(text.charAt(length))) advance(cursor, text.charAt(length++));
  return length;
}

/** Moves on behind a character. */
export function advance(cursor: Cursor, char: string): void {
  if (char === '\n') {
    cursor.indent = 0;
    cursor.isQuote = false;
    cursor.ticks = 0;
  } else if (cursor.indent >= 0) {
    if (char === ' ' || char === '\t' || char === '\r') cursor.indent++;
    else {
      cursor.isQuote = char === '>';
      cursor.indent = -1;
    }
  }
}
