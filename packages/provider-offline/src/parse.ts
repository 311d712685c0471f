import { type Command, escapes, forms, joint, openings, type Slot, slotsOf, type Verb, verbOf } from './grammar.ts';
import { shorten } from './shorten.ts';

/** A program, or a sentence about the problem with the text. */
export type Program =
  | { readonly commands: readonly Command[]; readonly problem?: never }
  | { readonly problem: string; readonly commands?: never };

/**
 * Parses a program: commands joined by `then`.
 *
 * Quoted fields support the escapes `\n`, `\r`, `\t`, `\"` and `\\`. An unquoted field ends at the word or colon
 * that divides it from the next one; the last field ends at `then` and a verb, or at the end. Surrounding blanks are
 * ignored. An unquoted `<text>` is a line: a line break is added. Verbs and dividers may be uppercase.
 *
 * @example
 * ```ts
 * import { parse } from '@utensil/provider-offline';
 *
 * const { commands } = parse('write todo.md: buy milk then read todo.md');
 * console.log(commands); // [{ verb: 'write', path: 'todo.md', text: 'buy milk\n' }, { verb: 'read', path: 'todo.md' }]
 * ```
 */
export function parse(text: string): Program {
  const commands: Command[] = [];
  let rest = text.trim();
  if (rest === '') return { problem: 'There is nothing to do.' };
  while (rest !== '') {
    const read = readCommand(rest);
    if ('problem' in read) return read;
    commands.push(read.command);
    rest = read.rest.slice(read.rest === '' ? 0 : joint.length).trimStart();
  }
  return { commands };
}

interface Problem {
  readonly problem: string;
}

/** A parsed value and the remaining text. */
type Read<Name extends string, Value> = Problem | ({ readonly [Key in Name]: Value } & { readonly rest: string });

function readCommand(text: string): Read<'command', Command> {
  const [word = ''] = /^\S+/.exec(text) ?? [];
  const verb = verbOf(word);
  if (verb === undefined) return { problem: `"${shorten(word, mostQuoted)}" is not a command.` };
  const fields: Record<string, string> = {};
  let rest = text.slice(word.length);
  for (const slot of slotsOf(verb)) {
    const read = readField(rest, slot, verb);
    if ('problem' in read) return read;
    fields[slot.field] = read.value;
    rest = read.rest;
  }
  const end = endOfCommand(rest);
  const extra = rest.slice(0, end).trim();
  if (extra !== '') return { problem: `Unexpected text after ${quoted(verb)}: "${shorten(extra, mostQuoted)}".` };
  return { command: { verb, ...fields } as Command, rest: rest.slice(end) };
}

function readField(text: string, slot: Slot, verb: Verb): Read<'value', string> {
  const { field, isOptional, divider } = slot;
  const start = text.trimStart();
  if (start.startsWith('"')) return readQuoted(start, slot, verb);
  const end = endOfField(text, divider);
  if (end === undefined) return { problem: `"${divider}" is missing after <${field}> of ${quoted(verb)}.` };
  const value = text.slice(0, end.start).trim();
  if (value === '' && !isOptional) return { problem: `<${field}> of ${quoted(verb)} is missing.` };
  return { value: field === 'text' ? `${value}\n` : value, rest: text.slice(end.next) };
}

function readQuoted(text: string, { field, divider }: Slot, verb: Verb): Read<'value', string> {
  const length = quotedLength(text);
  if (length === undefined) return { problem: `The quotes around <${field}> of ${quoted(verb)} are not closed.` };
  const value = text.slice(1, length - 1).replaceAll(/\\(.)/gs, (pair, letter: string) => escapes.get(letter) ?? pair);
  const behind = text.slice(length);
  const end = endOfField(behind, divider);
  if (end === undefined || behind.slice(0, end.start).trim() !== '') {
    const expected = divider === '' ? `nothing but "${joint}" and a command` : `"${divider}"`;
    return { problem: `Behind the quotes around <${field}> of ${quoted(verb)} belongs ${expected}.` };
  }
  return { value, rest: behind.slice(end.next) };
}

/** Length of the quoted text at the start, including its quotes. */
function quotedLength(text: string): number | undefined {
  for (let index = 1; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === '"') return index + 1;
  }
  return undefined;
}

/** End of a field and start of the next; undefined if the divider is missing. */
function endOfField(text: string, divider: string): { readonly start: number; readonly next: number } | undefined {
  const end = endOfCommand(text);
  if (divider === '') return { start: end, next: end };
  const pattern = divider === ':' ? /:/ : new RegExp(`(?<=\\s)${divider}(?=\\s|$)`, 'i');
  const start = text.slice(0, end).search(pattern);
  return start === -1 ? undefined : { start, next: start + divider.length };
}

const nextCommand = /* @__PURE__ */ new RegExp(`(?<=^|\\s)${joint}\\s+(?=(?:${openings.join('|')})(?:\\s|$))`, 'i');

function endOfCommand(text: string): number {
  const index = text.search(nextCommand);
  return index === -1 ? text.length : index;
}

function quoted(verb: Verb): string {
  return `"${forms[verb]}"`;
}

/** Maximum characters of a text in a problem. */
const mostQuoted = 40;
