import { UtensilError } from '../errors.ts';
import { fileError, quotePath } from './file-error.ts';
import type { TextReplacement } from './files.ts';

/** Lines of a text, from 1, both included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** A text after an edit, and the lines that the edit wrote. */
export interface TextEdit {
  readonly text: string;
  readonly ranges: readonly LineRange[];
}

/**
 * Replaces the one occurrence of a text, or all of them. In a file whose lines end in CRLF, line breaks of both texts mean
 * those, as nobody who writes `\\n` means to mix them. Throws `EINVAL`, `string_not_found`, `string_not_unique`.
 */
export function replaceText(text: string, { all = false, ...given }: TextReplacement, path: string): TextEdit {
  const isCrlf = usesCrlf(text);
  const oldText = isCrlf && !text.includes(given.oldText) ? toCrlf(given.oldText) : given.oldText;
  const newText = isCrlf ? toCrlf(given.newText) : given.newText;
  if (oldText === '')
    throw fileError('EINVAL', path, { hint: 'The text to replace is empty: say which text to replace.' });
  const pieces = text.split(oldText);
  if (pieces.length === 1) throw notFound(path);
  if (pieces.length > 2 && !all) throw notUnique(startLines(pieces, oldText), path);
  const ranges = startLines(pieces, newText).map((start) => ({ start, end: start + innerBreaks(newText) }));
  return { text: pieces.join(newText), ranges };
}

/** The line on which each of the joints between the pieces begins. */
function startLines(pieces: readonly string[], joint: string): readonly number[] {
  const perJoint = countBreaks(joint);
  let line = 1;
  return pieces.slice(0, -1).map((piece, index) => (line += countBreaks(piece) + (index === 0 ? 0 : perJoint)));
}

function notFound(path: string): UtensilError {
  const hint = 'It must match exactly, spaces and line breaks included: read the file again.';
  return new UtensilError('string_not_found', `string_not_found: no such text, ${quotePath(path)}. ${hint}`, { path });
}

function notUnique(lines: readonly number[], path: string): UtensilError {
  const shown = lines.length > 20 ? `${lines.slice(0, 20).join(', ')}, …` : lines.join(', ');
  const happened = `string_not_unique: the text occurs ${lines.length} times, ${quotePath(path)}, on lines ${shown}`;
  return new UtensilError('string_not_unique', `${happened}. Add what is around it, or replace all.`, { path, lines });
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

function countBreaks(text: string): number {
  let count = 0;
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) count++;
  return count;
}

/** Those that are not at the end. */
function innerBreaks(text: string): number {
  return countBreaks(text) - (text.endsWith('\n') ? 1 : 0);
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

function toCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}
