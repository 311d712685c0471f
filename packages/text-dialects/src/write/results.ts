import type { ToolResultPart } from '@utensil/core';
import type { Dialect } from '../dialects/dialect.ts';
import { closers, grammarsOf } from '../read/grammar.ts';
import { beforeName, fill } from '../text/lookahead.ts';
import type { ToolIndex } from '../read/tool-index.ts';

/** Markers that the chat templates of models use to separate turns. */
const specials: readonly string[] = [
  '<|',
  '|>',
  '<s>',
  '</s>',
  '[INST]',
  '[/INST]',
  '<start_of_turn>',
  '<end_of_turn>',
  '<<SYS>>',
  '<tool_call>',
  '</tool_call>',
];

/** A result as it is told: whose it is, and of which tools there are calls that it must not look like. */
export interface WrittenResult extends Pick<ToolResultPart, 'name' | 'isError'> {
  readonly text: string;
  readonly tools: ToolIndex;
}

/** A result in its frame, which nothing in it can close, and in which no call of the dialect can stand. */
export function writeResult({ name, isError, text, tools }: WrittenResult, dialect: Dialect): string {
  const { open, error, close, body } = dialect.result;
  const marks = marksOf(dialect, tools);
  const inside = body === 'json' ? toJsonText(text, marks) : escapeMarkup(text, marks);
  return fill(isError ? error : open, safeName(name)) + inside + close;
}

/** The opening of a result of the dialect, up to the first part that varies. */
function resultOpenings({ result }: Dialect): readonly string[] {
  const starts = [result.open, result.error].map((template) => beforeName(template).trim());
  const words = starts.map((start) =>
    /^(?:[A-Za-z#]|<[|\uff5c])/.test(start) ? start : (/^[^A-Za-z]*[\w|]*/.exec(start)?.[0] ?? start),
  );
  return [...new Set(words)].filter((word) => word.length > 1);
}

/** Frame of a result: `close` is empty if only the end of the turn closes it. */
export interface ResultQuote {
  readonly open: string;
  readonly close: string;
}

/** The frames in which results of the dialect stand, as a model that quotes one may write them. */
export function resultQuotes(dialect: Dialect): readonly ResultQuote[] {
  const { close, body } = dialect.result;
  const end = close.trim() === '' && body === 'json' ? '\n' : close.trim();
  return resultOpenings(dialect).map((open) => ({ open, close: end }));
}

/** The name of a tool that the model made up could be anything. */
function safeName(name: string): string {
  return name.replace(/[^\p{L}\p{N}\p{M}_.-]/gu, '_').slice(0, 64);
}

/** One line of JSON without markup in it: the first character of each piece of markup is an escape. */
function toJsonText(text: string, marks: readonly string[]): string {
  const json = JSON.stringify(text);
  return at(json, marks, (index) => `\\u${json.charCodeAt(index).toString(16).padStart(4, '0')}`);
}

/**
 * Text with a backslash after the first character of each piece of markup, which disarms it: `<\/tool_result>`.
 * Existing backslashes become one more, so that nothing is ambiguous.
 */
export function escapeMarkup(text: string, marks: readonly string[]): string {
  return at(text, marks, (index) => `${text.charAt(index)}\\`);
}

/** Markup of a dialect that must not occur in a result. */
export function marksOf(dialect: Dialect, tools: ToolIndex): readonly string[] {
  const { result, ends = [], hidden = [], thoughts } = dialect;
  const markup = grammarsOf(dialect).flatMap((grammar) => [...openersOf(grammar, tools), ...closers(grammar)]);
  const templates = [...markup, ...ends, ...hidden, thoughts?.open ?? '', thoughts?.close ?? '', result.close];
  const words = [...templates.map((template) => beforeName(template).trim()), ...resultOpenings(dialect), ...specials];
  return [...new Set(words)].filter((word) => word.length > 1 && !isPlain(word));
}

function openersOf(grammar: Dialect['grammar'], tools: ToolIndex): readonly string[] {
  switch (grammar.kind) {
    case 'json':
    case 'keyed':
    case 'braces':
      return [grammar.open];
    case 'named':
      return [...grammar.open, ...(grammar.frame ?? [])];
    case 'tags': {
      const templates = [...grammar.call, ...grammar.parameter, grammar.frame?.[0] ?? ''];
      const named =
        grammar.knownOnly === true
          ? [...tools.keys()].flatMap((name) => [fill(grammar.call[0], name), fill(grammar.call[1], name)])
          : [];
      return [...templates.filter((word) => beforeName(word).length > 2), ...named];
    }
    case 'lines':
      return [grammar.fence];
    case 'python':
      return [grammar.open];
  }
}

/** A word in plain letters frames nothing by itself. */
function isPlain(word: string): boolean {
  return /^[A-Za-z]/.test(word);
}

/** The text with `change` in place of each character at which a mark begins. */
function at(text: string, marks: readonly string[], change: (index: number) => string): string {
  let changed = '';
  let from = 0;
  const first = new Set(marks.map((mark) => mark.charAt(0)));
  for (let index = 0; index < text.length; index++) {
    if (!first.has(text.charAt(index)) || !isMark(text, index, marks)) continue;
    changed += text.slice(from, index) + change(index);
    from = index + 1;
  }
  return changed + text.slice(from);
}

/** True if a mark begins here, with or without backslashes after its first character. */
export function isMark(text: string, index: number, marks: readonly string[]): boolean {
  let rest = index + 1;
  while (text[rest] === '\\') rest++;
  return marks.some((mark) => mark[0] === text[index] && text.startsWith(mark.slice(1), rest));
}
