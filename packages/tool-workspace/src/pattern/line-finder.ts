import { automatonOf } from './automaton.ts';
import { findBytes } from './bytes.ts';
import { toProgram } from './program.ts';
import { parsePattern } from './syntax.ts';
import type { Node } from './syntax.ts';

/** Options of a pattern. */
export interface PatternOptions {
  /** True to match the pattern literally. */
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
}

/** A line with a match. */
export interface FoundLine {
  readonly start: number;
  /** Without the line break. */
  readonly end: number;
  /** Start of the next line. */
  readonly next: number;
  /** A position within or at the end of the match. */
  readonly at: number;
}

/** First matching line that starts at or after an offset. */
export type LineFinder = (bytes: Uint8Array, from: number) => FoundLine | undefined;

const lineFeed = 10;
const carriageReturn = 13;

/** In characters: repetitive bytes would make a longer search slow. */
const longestNeedle = 64;

/**
 * Finds lines of UTF-8 texts that match a pattern. If every match contains a literal, that is searched first, because
 * most files and lines do not contain it. Throws `EINVAL`.
 */
export function lineFinder(pattern: string, { literal = false, ignoreCase = false }: PatternOptions = {}): LineFinder {
  const node = literal ? literalNode(pattern, ignoreCase) : parsePattern(pattern, ignoreCase);
  const whole = Array.from(needleOf(node));
  const needle = whole.slice(0, longestNeedle).join('');
  const isNeedle = isText(node) && whole.length > 0 && whole.length <= longestNeedle;
  const findMatch = isNeedle ? undefined : automatonOf(toProgram(node));
  const findNeedle = needle === '' ? undefined : findBytes(new TextEncoder().encode(needle));
  return (bytes, from) => {
    const place = findNeedle === undefined ? from : findNeedle(bytes, from);
    if (place === -1 || place >= bytes.length) return undefined;
    const at = findMatch === undefined ? place : findMatch(bytes, startOf(bytes, place));
    return at === -1 ? undefined : lineAt(bytes, at);
  };
}

/** Start of the line at an offset. */
function startOf(bytes: Uint8Array, place: number): number {
  return place === 0 ? 0 : bytes.lastIndexOf(lineFeed, place - 1) + 1;
}

function lineAt(bytes: Uint8Array, at: number): FoundLine {
  const start = startOf(bytes, at);
  const end = lineBreak(bytes, at);
  const hasReturn = end > start && end < bytes.length && bytes[end - 1] === carriageReturn;
  return { start, end: hasReturn ? end - 1 : end, next: end + 1, at };
}

/** Position of the next line break, or the end. */
export function lineBreak(bytes: Uint8Array, from: number): number {
  const found = bytes.indexOf(lineFeed, from);
  return found === -1 ? bytes.length : found;
}

function isText(node: Node): boolean {
  return node.type === 'sequence' && node.nodes.every(({ type }) => type === 'character');
}

function literalNode(text: string, ignoreCase: boolean): Node {
  return parsePattern(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), ignoreCase);
}

/** The longest literal that every match contains; empty if none is known. */
function needleOf(node: Node): string {
  if (node.type === 'character') return node.text;
  if (node.type === 'repeat') return node.least > 0 ? needleOf(node.node) : '';
  if (node.type !== 'sequence') return '';
  let [longest, run] = ['', ''];
  for (const each of flat(node.nodes)) {
    run = each.type === 'character' ? run + each.text : '';
    const inner = run === '' ? needleOf(each) : run;
    if (inner.length > longest.length) longest = inner;
  }
  return longest;
}

function flat(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node) => (node.type === 'sequence' ? flat(node.nodes) : [node]));
}
