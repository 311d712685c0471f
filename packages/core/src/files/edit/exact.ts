import { commonBeginning, commonEnding } from './common.ts';
import { splitAt } from './indivisible.ts';
import { toCrlf } from './line-breaks.ts';
import { createLineCursor } from './line-cursor.ts';
import type { LineCursor } from './line-cursor.ts';
import type { Match } from './match.ts';
import { occurrencesOf } from './occurrences.ts';
import type { Replacement } from './replacement.ts';

/** A text that is searched for exact matches. */
export interface PlainSource {
  readonly text: string;
  /** True if a byte order mark precedes the text in its file. */
  readonly hasMark: boolean;
  readonly cursor: LineCursor;
}

/** The text as stored in its file. */
export type SourceText = Pick<PlainSource, 'text' | 'hasMark'>;

export function createPlainSource({ text, hasMark }: SourceText): PlainSource {
  return { text, hasMark, cursor: createLineCursor(text) };
}

/** A range of the text, and its replacement. */
export interface Rewording {
  readonly start: number;
  readonly oldText: string;
  readonly newText: string;
}

/** Finds exact matches. None begins or ends within a line break or a character. */
export function* findExact(source: PlainSource, { oldText, newText, lines = false }: Replacement): Generator<Match> {
  const { text } = source;
  const beginsLine = (start: number): boolean => start === 0 || text[start - 1] === '\n';
  for (const start of occurrencesOf(text, oldText)) {
    const isWhole = splitAt(text, start) === undefined && splitAt(text, start + oldText.length) === undefined;
    if (isWhole && (!lines || beginsLine(start))) yield toMatch(source, { start, oldText, newText });
  }
  if (!lines || text.endsWith('\n')) return;

  // the last line has no line break and still counts as whole
  const last = oldText.slice(0, -1);
  const start = text.length - last.length;
  if (last === '' || !text.endsWith(last) || !beginsLine(start)) return;
  yield toMatch(source, { start, oldText: last, newText: newText.replace(/\r?\n$/, '') });
}

/** A match with a single change. */
export function toMatch(source: PlainSource, rewording: Rewording): Match {
  const { start, oldText, newText } = rewording;
  return {
    start,
    end: start + oldText.length,
    size: newText.length,
    changes: () => [{ start, oldText, newText: reworded(source, rewording) }],
  };
}

/** The new text. Its common parts with the old text keep their line breaks, even if these are mixed. */
function reworded(source: PlainSource, { start, oldText, newText }: Rewording): string {
  if (!newText.includes('\n')) return newText;
  const same = commonBeginning(oldText, newText);
  const head = isBreakAt(oldText, same) || isBreakAt(newText, same) ? same - 1 : same;
  const sameEnd = commonEnding(oldText, newText, head);
  const tail = isBreakAt(oldText, oldText.length - sameEnd) ? sameEnd - 1 : sameEnd;
  const end = newText.length - tail;
  return newText.slice(0, head) + written(source, start + head, newText.slice(head, end)) + newText.slice(end);
}

function isBreakAt(text: string, offset: number): boolean {
  return splitAt(text, offset) === 'line-break';
}

/** The text to write at a place, with the line breaks used there; an explicit `\r\n` is kept. */
export function written({ cursor }: PlainSource, start: number, newText: string): string {
  return newText.includes('\n') && cursor.breakAt(start) === '\r\n' ? toCrlf(newText) : newText;
}
