import { applyChanges } from './edit/changes.ts';
import { createPlainSource, findExact } from './edit/exact.ts';
import type { PlainSource } from './edit/exact.ts';
import { limits } from './edit/limits.ts';
import { innerBreaks, toCrlf } from './edit/line-breaks.ts';
import type { LineRange } from './edit/line-breaks.ts';
import { take } from './edit/match.ts';
import type { Matches, Take } from './edit/match.ts';
import { findPartial, partingOf } from './edit/partial.ts';
import { createChangeCounter, linesOfOffsets } from './edit/places.ts';
import { emptyText, notFound, notUnique, notWhole, toError, tooManyPlaces } from './edit/problem.ts';
import type { Problem } from './edit/problem.ts';
import { fileError } from './file-error.ts';
import type { TextReplacement } from './files.ts';
import type { DecodedText } from '../base/text-encoding.ts';

/** A text after an edit, and the lines that the edit wrote. */
export interface TextEdit {
  readonly text: string;
  readonly ranges: readonly LineRange[];
}

/**
 * Replaces the only occurrence of a text, or all of them. In a file with CRLF line endings, a `\\n` in either text
 * matches and writes CRLF. Throws `EINVAL`, `string_not_found`, `string_not_unique`, `EFBIG`.
 */
export function replaceText({ text, format }: DecodedText, asked: TextReplacement, path: string): TextEdit {
  const { oldText, newText, all = false } = asked;
  if (oldText === '') throw toError(emptyText, path);
  const replacement = { oldText, newText };
  const source = createPlainSource({ text, hasMark: format.bom });
  const { count, matches } = locate(source, replacement, {
    most: all ? limits.places : limits.lines,
    apart: true,
    counts: !all,
  });
  if (count === 0) throw toError(whyMissing(source, replacement), path);
  if (count > 1 && !all) {
    const starts = matches.map(({ start }) => start);
    throw toError(notUnique({ lines: linesOfOffsets(text, starts), count }), path);
  }
  if (count > matches.length) throw toError(tooManyPlaces(), path);
  const growth = matches.reduce((sum, { size }) => sum + size, 0);
  if (text.length + growth > limits.characters) throw fileError('EFBIG', path, { hint: 'Replace fewer places.' });
  const changes = matches.flatMap((match) => match.changes());
  const linesOf = createChangeCounter(text);
  return { text: applyChanges(text, changes), ranges: changes.map((change) => linesOf(change).newLines) };
}

/** Exact matches; if there are none, matches with the file's line breaks. */
function locate(source: PlainSource, replacement: TextReplacement, wanted: Take): Matches {
  const found = take(findExact(source, replacement), wanted);
  if (found.count > 0) return found;
  const partial = take(findPartial(source, replacement), wanted);
  if (partial.count > 0 || !usesCrlf(source.text)) return partial;
  return take(findExact(source, { ...replacement, oldText: toCrlf(replacement.oldText) }), wanted);
}

function whyMissing(source: PlainSource, replacement: TextReplacement): Problem {
  const parting = partingOf(source, replacement);
  return parting === undefined ? notFound(asItIs) : notWhole(parting);
}

const asItIs = 'It must match exactly, spaces and line breaks included: read the file again.';

/**
 * Inserts whole lines after line `line`, where 0 is before the first. They get the file's line ending. Throws
 * `invalid_line`.
 */
export function insertText(text: string, { line, inserted, path }: InsertText): TextEdit {
  const last = countLines(text);
  if (!Number.isInteger(line) || line < 0 || line > last) throw toError(invalidLine(line, last), path);
  const offset = endOfLine(text, line);
  const [before, after] = [text.slice(0, offset), text.slice(offset)];
  const lineBreak = usesCrlf(text) ? '\r\n' : '\n';
  const lines = adaptLines(inserted, text);
  const opening = before === '' || before.endsWith('\n') ? '' : lineBreak;
  const closing = lines.endsWith('\n') || opening !== '' ? '' : lineBreak;
  const end = line + 1 + innerBreaks(inserted);
  return { text: `${before}${opening}${lines}${closing}${after}`, ranges: [{ start: line + 1, end }] };
}

/** Inserted text and position for {@link insertText}. */
export interface InsertText {
  readonly line: number;
  readonly inserted: string;
  readonly path: string;
}

function invalidLine(line: number, last: number): Problem {
  return {
    code: 'invalid_line',
    happened: `no line ${line} to insert after`,
    hint: `Give a line from 0 (before the first) to ${last}.`,
    lines: [0, last],
  };
}

/** Number of lines of a text; a trailing line break opens no further one. */
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

/** Appended text with the line breaks of its file. */
export function adaptLines(added: string, text: string): string {
  return usesCrlf(text) ? toCrlf(added) : added;
}

function usesCrlf(text: string): boolean {
  return text.charAt(text.indexOf('\n') - 1) === '\r';
}
