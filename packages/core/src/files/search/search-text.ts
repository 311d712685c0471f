import { indexOfLiteral, toLiteral, unitsOf } from './literal.ts';

/** A match in a text. */
export interface TextHit {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units, as editors count. */
  readonly column: number;
  /** The line; truncated around the match if long, marked by `…`. */
  readonly text: string;
  /** The lines before. */
  readonly before: readonly string[];
  /** The lines after. */
  readonly after: readonly string[];
}

/** Options of a search in a text. */
export interface TextQuery {
  readonly text: string;
  readonly ignoreCase: boolean;
  /** Number of context lines. */
  readonly context: number;
  readonly limit: number;
}

/** The lines of a text that contain a match, with the first match on each. */
export function searchText(text: string, { text: wanted, ignoreCase, context, limit }: TextQuery): readonly TextHit[] {
  const fold = ignoreCase ? foldUnits : (given: string): string => given;
  const units = unitsOf(fold(text));
  const literal = toLiteral(unitsOf(fold(wanted)));
  const hits: TextHit[] = [];
  let line = 1;
  let start = 0;
  let found = indexOfLiteral(units, literal);
  while (found !== -1 && hits.length < limit) {
    for (let next = endOfLine(text, start); next < found; next = endOfLine(text, start)) {
      line++;
      start = next + 1;
    }
    const end = endOfLine(text, found);
    hits.push({
      line,
      column: found - start + 1,
      text: cutLine(text, { start, end }, found),
      before: linesBefore(text, start, context),
      after: linesAfter(text, end, context),
    });
    found = indexOfLiteral(units, literal, end + 1);
  }
  return hits;
}

/** Lowercases each letter whose lowercase has the same length, so that offsets are kept. */
function foldUnits(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found === -1 ? text.length : found;
}

function linesBefore(text: string, start: number, count: number): readonly string[] {
  const lines: string[] = [];
  for (let end = start - 1; end >= 0 && lines.length < count;) {
    const begin = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    lines.unshift(cutLine(text, { start: begin, end }, begin));
    end = begin - 1;
  }
  return lines;
}

/** A trailing line break opens no further line. */
function linesAfter(text: string, end: number, count: number): readonly string[] {
  const lines: string[] = [];
  for (let start = end + 1; start < text.length && lines.length < count;) {
    const next = endOfLine(text, start);
    lines.push(cutLine(text, { start, end: next }, start));
    start = next + 1;
  }
  return lines;
}

/** Maximum length of a shown line, and the part of it before the match. */
const [maxLine, maxLead] = [400, 100];

function cutLine(text: string, { start, end }: { readonly start: number; readonly end: number }, at: number): string {
  const last = text[end - 1] === '\r' && end > start ? end - 1 : end;
  if (last - start <= maxLine) return text.slice(start, last);
  const from = Math.max(start, at - maxLead);
  const to = Math.min(last, from + maxLine);
  const shown = text
    .slice(from, to)
    .replace(/^[\udc00-\udfff]/, '')
    .replace(/[\ud800-\udbff]$/, '');
  return `${from > start ? '…' : ''}${shown}${to < last ? '…' : ''}`;
}
