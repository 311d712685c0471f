import type { ToolResultPart } from '@utensil/core';
import type { Dialect } from './dialect.ts';
import { closers } from './grammar.ts';
import { fill } from './lookahead.ts';

/** What chat templates of models use to tell turns apart. */
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

/** The text of a result in its frame, which nothing in it can close, and in which no call of the dialect can stand. */
export function writeResult(
  { name, isError }: Pick<ToolResultPart, 'name' | 'isError'>,
  text: string,
  dialect: Dialect,
): string {
  const { open, error, close, body } = dialect.result;
  const inside = body === 'json' ? toJsonText(text, dialect) : escapeMarkup(text, dialect);
  return fill(isError ? error : open, safeName(name)) + inside + close;
}

/** The name of a tool that the model made up could be anything. */
function safeName(name: string): string {
  return name.replace(/[^\w.-]/g, '_').slice(0, 64);
}

/** One line of JSON without markup in it: the first character of each piece of markup is an escape. */
function toJsonText(text: string, dialect: Dialect): string {
  const marks = marksOf(dialect);
  const json = JSON.stringify(text);
  return at(json, marks, (index) => `\\u${json.charCodeAt(index).toString(16).padStart(4, '0')}`);
}

/**
 * Text in which a backslash stands behind the first character of each piece of markup, so that it is none:
 * `<\/tool_result>`. Where backslashes stand there already, they become one more, so that nothing is ambiguous.
 */
export function escapeMarkup(text: string, dialect: Dialect): string {
  return at(text, marksOf(dialect), (index) => `${text.charAt(index)}\\`);
}

/** Undoes {@link escapeMarkup}. */
export function unescapeMarkup(text: string, dialect: Dialect): string {
  const marks = marksOf(dialect);
  let plain = '';
  for (let index = 0; index < text.length; index++) {
    plain += text.charAt(index);
    if (text[index + 1] === '\\' && isMark(text, index, marks)) index++;
  }
  return plain;
}

/** What of a dialect must not occur in a result. */
function marksOf({ grammar, result }: Dialect): readonly string[] {
  const templates = [...openersOf(grammar), ...closers(grammar), result.open, result.error, result.close];
  const words = templates.map((template) => (template.split('{name}')[0] ?? '').trim());
  return [...new Set([...words, ...specials])].filter((word) => word.length > 1 && !isPlain(word));
}

function openersOf(grammar: Dialect['grammar']): readonly string[] {
  switch (grammar.kind) {
    case 'json':
      return [grammar.open];
    case 'tags':
      return [...grammar.call, ...grammar.parameter, grammar.frame?.[0] ?? ''].filter(
        (word) => firstWord(word).length > 2,
      );
    case 'lines':
      return [grammar.fence];
    case 'python':
      return [grammar.open];
  }
}

function firstWord(template: string): string {
  return template.split('{name}')[0] ?? '';
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

/** Whether a mark begins here, with or without backslashes behind its first character. */
function isMark(text: string, index: number, marks: readonly string[]): boolean {
  let rest = index + 1;
  while (text[rest] === '\\') rest++;
  return marks.some((mark) => mark[0] === text[index] && text.startsWith(mark.slice(1), rest));
}
