// Completes open constructs at the end of a streaming text, so that nothing changes its form later.

import { mostCharacters } from './tame.ts';

const loneMark = /(?:^|\n)[ \t]*(?:[-=*+_]{1,2}|\d{1,9}[.)]?|#{1,6}|`{1,2}|~{1,2}|>|\|)[ \t]*$/;
const blockStart = /(?:^|\n)[ \t]*(?:[-*+>]|\d{1,9}[.)]|#{1,6})[ \t]+(?=[^\n]*$)|\n[ \t]*\n/g;

/** The last segment of a streaming text, completed. */
export function mended(text: string): string {
  if (text.length > mostCharacters) return text;
  const shown = withTable(text.replace(loneMark, ''));
  const at = lastBlockOf(shown);
  return shown.slice(0, at) + closed(shown.slice(at));
}

/** Start of the last paragraph, which limits emphasis. */
function lastBlockOf(text: string): number {
  let at = 0;
  for (const { 0: found, index } of text.matchAll(blockStart)) at = index + found.length;
  return at;
}

/** Shows a table header as a table before its second line arrives. */
function withTable(text: string): string {
  const [head, line] = /(?:^|\n)(\|[^\n]*[^\n|][^\n]*)(?:\n([|: \t-]*))?$/.exec(text)?.slice(1) ?? [];
  if (head === undefined || isRow(text, head)) return text;
  const row = head.trimEnd();
  const columns = row.replace(/^\||\|$/g, '').split('|').length;
  const before = text.slice(0, text.length - head.length - (line === undefined ? 0 : line.length + 1));
  return `${before}${row}${row.endsWith('|') ? '' : ' |'}\n|${'---|'.repeat(columns)}`;
}

/** True if the line belongs to a table above it. */
function isRow(text: string, head: string): boolean {
  const before = text.slice(0, text.lastIndexOf(head)).trimEnd();
  return /\|[ \t]*$/.test(before.slice(before.lastIndexOf('\n') + 1));
}

/** Closes open constructs at the end of a paragraph, and removes incomplete ones. */
function closed(block: string): string {
  const text = withoutLink(block).replace(/(?<!~)~$/, '');
  const open: string[] = [];
  const marks = /\\[^]|(`+)|(\*{1,3}|_{1,3}|~~)/g;
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    const { 0: mark, 1: ticks, 2: emphasis, index } = found;
    if (ticks !== undefined) {
      const end = text.indexOf(ticks, index + ticks.length);
      if (end === -1) return closeAll(text, [...open, ticks], index + ticks.length);
      marks.lastIndex = end + ticks.length;
    } else if (emphasis !== undefined) turn(open, mark, { text, index });
  }
  return closeAll(text, open, text.length);
}

interface Place {
  readonly text: string;
  readonly index: number;
}

/** Lets a mark close what it opened, or open. */
function turn(open: string[], mark: string, { text, index }: Place): void {
  const before = text.charAt(index - 1);
  const after = text.charAt(index + mark.length);
  if (mark.startsWith('_') && /\w/.test(before) && /\w/.test(after)) return;
  const at = open.lastIndexOf(mark);
  if (at >= 0 && /\S/.test(before)) open.splice(at);
  else if (!/^\s/.test(after) && open.length < 20) open.push(mark);
}

function closeAll(text: string, open: readonly string[], bare: number): string {
  const last = open.at(-1);
  if (last === undefined) return text;
  const isBare = text.endsWith(last) && (bare >= text.length || bare === text.length - last.length);
  const rest = isBare ? text.slice(0, -last.length) : text;
  const left = isBare ? open.slice(0, -1) : open;
  const words = rest.trimEnd(); // marks after a space would close nothing
  return left.length === 0 ? rest : words + left.toReversed().join('') + rest.slice(words.length);
}

/** Shows a link or image without a complete URL as its text. */
function withoutLink(text: string): string {
  const at = text.lastIndexOf('[');
  if (at === -1 || text.charAt(at - 1) === '\\') return text;
  const isImage = text.charAt(at - 1) === '!';
  const [, words] = /^\[([^\]\n]*)(?:\](?:\([^)\n]*)?)?$/.exec(text.slice(at)) ?? [];
  if (words === undefined || /^[ x]?$/i.test(words)) return text;
  return text.slice(0, isImage ? at - 1 : at) + (isImage ? '' : words);
}
