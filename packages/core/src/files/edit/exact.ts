import { lineBreakAt, toCrlf } from './line-breaks.ts';
import type { Match, Source } from './match.ts';
import { occurrencesOf } from './occurrences.ts';
import type { Replacement } from './replacement.ts';

/** Where a text is, character for character. No place begins or ends within a line break. */
export function exactPlaces(text: string, oldText: string): readonly number[] {
  const splitsBreak = (index: number): boolean => text[index] === '\n' && text[index - 1] === '\r';
  return occurrencesOf(text, oldText).filter((start) => !splitsBreak(start) && !splitsBreak(start + oldText.length));
}

/** What is written at a place, in the line breaks that it has there; `\r\n` stays what it is. */
export function written(text: string, start: number, newText: string): string {
  return newText.includes('\n') && lineBreakAt(text, start) === '\r\n' ? toCrlf(newText) : newText;
}

/** Finds a text as it is. */
export function findExact({ text }: Source, { oldText, newText, lines = false }: Replacement): readonly Match[] {
  const toMatch = (start: number, found: string, by: string): Match => ({
    start,
    end: start + found.length,
    changes: () => [{ start, oldText: found, newText: written(text, start, by) }],
  });
  const beginsLine = (start: number): boolean => start === 0 || text[start - 1] === '\n';
  const places = exactPlaces(text, oldText).filter((start) => !lines || beginsLine(start));
  const matches = places.map((start) => toMatch(start, oldText, newText));
  if (!lines || text.endsWith('\n')) return matches;

  // The last line has no line break, and is whole all the same.
  const last = oldText.slice(0, -1);
  const start = text.length - last.length;
  if (last === '' || !text.endsWith(last) || !beginsLine(start)) return matches;
  return [...matches, toMatch(start, last, newText.replace(/\r?\n$/, ''))];
}
