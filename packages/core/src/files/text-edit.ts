import { UtensilError } from '../errors.ts';
import { applyChanges } from './edit/changes.ts';
import { exactPlaces, written } from './edit/exact.ts';
import { innerBreaks, toCrlf } from './edit/line-breaks.ts';
import type { LineRange } from './edit/line-breaks.ts';
import { withoutOverlaps } from './edit/overlap.ts';
import type { Span } from './edit/overlap.ts';
import { linesOfChanges, linesOfOffsets } from './edit/places.ts';
import { emptyText, notFound, notUnique, toError } from './edit/problem.ts';
import { quotePath } from './file-error.ts';
import type { TextReplacement } from './files.ts';

/** A text after an edit, and the lines that the edit wrote. */
export interface TextEdit {
  readonly text: string;
  readonly ranges: readonly LineRange[];
}

/**
 * Replaces the one occurrence of a text, or all of them. In a file whose lines end in CRLF, line breaks of both texts mean
 * those, as nobody who writes `\\n` means to mix them. Throws `EINVAL`, `string_not_found`, `string_not_unique`.
 */
export function replaceText(text: string, replacement: TextReplacement, path: string): TextEdit {
  const { oldText, newText, all = false } = replacement;
  if (oldText === '') throw toError(emptyText, path);
  const found = placesOf(text, oldText);
  const places = found.length === 0 && usesCrlf(text) ? placesOf(text, toCrlf(oldText)) : found;
  const starts = places.map(({ start }) => start);
  if (places.length === 0) throw toError(notFound(asItIs), path);
  if (places.length > 1 && !all) throw toError(notUnique(linesOfOffsets(text, starts)), path);
  const changes = places.map(({ start, end }) => ({
    start,
    oldText: text.slice(start, end),
    newText: written(text, start, newText),
  }));
  const ranges = linesOfChanges(text, changes).map(({ newLines }) => newLines);
  return { text: applyChanges(text, changes), ranges };
}

const asItIs = 'It must match exactly, spaces and line breaks included: read the file again.';

function placesOf(text: string, sought: string): readonly Span[] {
  const spans = exactPlaces(text, sought).map((start) => ({ start, end: start + sought.length }));
  return withoutOverlaps(spans);
}

/**
 * Inserts whole lines after line `line`, 0 being before the first. They end as the file's lines do. Throws
 * `invalid_line`.
 */
export function insertText(text: string, { line, inserted, path }: InsertText): TextEdit {
  const last = countLines(text);
  if (!Number.isInteger(line) || line < 0 || line > last) throw invalidLine(line, last, path);
  const offset = endOfLine(text, line);
  const [before, after] = [text.slice(0, offset), text.slice(offset)];
  const lineBreak = usesCrlf(text) ? '\r\n' : '\n';
  const lines = lineBreak === '\r\n' ? toCrlf(inserted) : inserted;
  const opening = before === '' || before.endsWith('\n') ? '' : lineBreak;
  const closing = lines.endsWith('\n') || opening !== '' ? '' : lineBreak;
  const end = line + 1 + innerBreaks(inserted);
  return { text: `${before}${opening}${lines}${closing}${after}`, ranges: [{ start: line + 1, end }] };
}

/** What {@link insertText} inserts, and where. */
export interface InsertText {
  readonly line: number;
  readonly inserted: string;
  readonly path: string;
}

function invalidLine(line: number, last: number, path: string): UtensilError {
  const happened = `invalid_line: no line ${line} to insert after, ${quotePath(path)}`;
  const lines = [0, last];
  return new UtensilError('invalid_line', `${happened}. Give a line from 0 (before the first) to ${last}.`, {
    path,
    lines,
  });
}

/** How many lines a text has; a line break at its end opens no further one. */
function countLines(text: string): number {
  return text === '' ? 0 : innerBreaks(text) + 1;
}

function endOfLine(text: string, line: number): number {
  let offset = 0;
  for (let count = 0; count < line; count++) {
    const found = text.indexOf('\n', offset);
    if (found === -1) return text.length;
    offset = found + 1;
  }
  return offset;
}

/** Added text with the line breaks of the file that it is added to. */
export function adaptLines(added: string, text: string): string {
  return usesCrlf(text) ? toCrlf(added) : added;
}

function usesCrlf(text: string): boolean {
  return text.charAt(text.indexOf('\n') - 1) === '\r';
}
