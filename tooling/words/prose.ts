// The English of a file: comments, paragraphs of Markdown, texts in code. Code in it is `§`, so that patterns skip it.

import { parseSync, Visitor } from 'oxc-parser';
import { splitFences } from '../documents/markdown.ts';

export interface Passage {
  readonly line: number;
  readonly text: string;
}

const directive = /^(?:[#@]__\w+__|\s*(?:oxlint|eslint|oxfmt|v8|istanbul|@ts)-|\/ <reference|\s*https?:\S+$|!)/;

/** The comments of a module. Line comments on consecutive lines are one passage; a TSDoc tag begins a new one. */
export function commentsOf(path: string, source: string): readonly Passage[] {
  const { comments, errors } = parse(path, source);
  if (errors[0] !== undefined) throw new SyntaxError(`${path}: ${errors[0].message}`);
  const joined: { type: string; start: number; end: number; value: string }[] = [];
  for (const comment of comments) {
    const last = joined.at(-1);
    const follows = last !== undefined && /^[ \t]*\r?\n[ \t]*$/.test(source.slice(last.end, comment.start));
    if (follows && last.type === 'Line' && comment.type === 'Line' && startsLine(source, last.start)) {
      last.value += `\n${comment.value}`;
      last.end = comment.end;
    } else joined.push({ ...comment });
  }
  return joined
    .filter(({ value }) => !directive.test(value))
    .flatMap(({ start, value }) => passages(value.replaceAll(/^[ \t]*\*+[ \t]?/gm, ''), lineOf(source, start)));
}

/** The prose of a document, without code, “quoted” titles, link targets and headings. Each cell of a table is a passage. */
export function paragraphsOf(markdown: string): readonly Passage[] {
  const blank = markdown.split('\n').map(() => '');
  const { prose } = splitFences(markdown.replaceAll(/“[^”]*”/g, (quoted) => quoted.replaceAll(/[^\n]+/g, '§')));
  for (const { text, line } of prose) blank[line - 1] = text;
  const found: Passage[] = [];
  let open: { line: number; rows: string[] } | undefined;
  const close = (): void => {
    if (open !== undefined) found.push(...passages(open.rows.join('\n'), open.line));
    open = undefined;
  };
  for (const [index, row] of blank.entries()) {
    const line = index + 1;
    const isItem = /^\s*(?:[-*+]|\d+\.)\s/.test(row);
    if (row.trim() === '' || /^#|^---$|^'@|^\s*<!--/.test(row) || row.startsWith('|') || isItem) close();
    if (row.startsWith('|')) {
      const cells = row.replaceAll(/`[^`]*`/g, '§').split('|');
      found.push(...cells.flatMap((cell) => passages(cell, line)));
    } else if (isItem) open = { line, rows: [row.replace(/^\s*(?:[-*+]|\d+\.)\s+/, '')] };
    else if (row.trim() !== '' && !/^#|^---$|^'@|^\s*<!--/.test(row)) (open ??= { line, rows: [] }).rows.push(row);
  }
  close();
  return found;
}

/** String literals and pieces of templates with at least three words: messages, prompts, labels. */
export function textsOf(path: string, source: string): readonly Passage[] {
  const { program } = parse(path, source);
  const found: Passage[] = [];
  const add = (value: unknown, start: number): void => {
    if (typeof value !== 'string' || !/^\W*[a-z]+\W+[a-z]+\W+[a-z]+/i.test(value)) return;
    found.push(...passages(value, lineOf(source, start)));
  };
  new Visitor({
    Literal: ({ value, start }) => add(value, start),
    TemplateLiteral: ({ quasis, start }) => add(quasis.map(({ value }) => value.cooked ?? '').join('§'), start),
  }).visit(program);
  return found;
}

function parse(path: string, source: string): ReturnType<typeof parseSync> {
  return parseSync(path, source);
}

/** Splits at blank lines and TSDoc tags, and drops fenced examples. */
function passages(text: string, line: number): readonly Passage[] {
  const bare = text
    .replaceAll(/```[^]*?(?:```|$)/g, (code) => code.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`]*`|\{@\w+[^}]*\}|\$\{[^}]*\}/g, (code) => `§${'\n'.repeat(code.split('\n').length - 1)}`)
    .replaceAll(/\]\([^)]*\)/g, ']');
  let at = line;
  return bare.split(/(\n[ \t]*\n|\n(?=[ \t]*@\w))/).flatMap((part) => {
    const start = at + (part.match(/^\s*/)?.[0].split('\n').length ?? 1) - 1;
    at += part.split('\n').length - 1;
    const flat = part
      .replace(/^\s*@\w+(?:[ \t]+\{[^}]*\})?/, '')
      .replaceAll(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}(?!\w)/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return flat === '' ? [] : [{ line: start, text: flat }];
  });
}

function startsLine(source: string, start: number): boolean {
  return source.slice(source.lastIndexOf('\n', start - 1) + 1, start).trim() === '';
}

function lineOf(source: string, start: number): number {
  return source.slice(0, start).split('\n').length;
}
