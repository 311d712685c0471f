import { type JsonObject, textOf, type ToolResultPart } from '@utensil/core';
import type { AnsweredCall } from './answered-call.ts';
import { fenced } from './fenced.ts';
import type { Command, CommandOf, Verb } from './grammar.ts';
import { inputsAfter, isTable, summarised } from './summarise.ts';
import { viewedFile } from './viewed.ts';

/** Translation of a command into tool calls. */
interface Meaning<Of> {
  readonly tool: 'filesystem' | 'memory' | 'javascript';
  /** True if it changes nothing, so that it may run in parallel with others. */
  readonly isRead: boolean;
  /** Input of the first call. */
  toInput(command: Of): JsonObject;
  /** Inputs of the calls that follow from the first result; absent if there are none. */
  toFurtherInputs?(command: Of, text: string): readonly JsonObject[];
  /** Text about successful calls; absent if success is enough. */
  tell?(answered: readonly AnsweredCall[]): string;
}

const tellText = ([first]: readonly AnsweredCall[]): string => fenced(first?.text ?? '');

/** Shows a file verbatim, and anything else as the tool showed it. */
function tellView([first]: readonly AnsweredCall[]): string {
  const text = first?.text ?? '';
  const { lines, isWhole } = viewedFile(text);
  return fenced(text.startsWith("Here's the content of ") && isWhole ? lines.join('\n') : text);
}

const meanings: { readonly [Name in Exclude<Verb, 'help'>]: Meaning<CommandOf<Name>> } = {
  write: {
    tool: 'filesystem',
    isRead: false,
    toInput: ({ path, text }) => ({ command: 'create', path: absolute(path), file_text: text, overwrite: true }),
  },
  append: {
    tool: 'filesystem',
    isRead: false,
    toInput: ({ path, text }) => ({ command: 'append', path: absolute(path), file_text: text }),
  },
  read: {
    tool: 'filesystem',
    isRead: true,
    toInput: ({ path }) => ({ command: 'view', path: absolute(path) }),
    tell: tellView,
  },
  list: {
    tool: 'filesystem',
    isRead: true,
    toInput: ({ path }) => ({ command: 'view', path: everything.test(path) ? '/' : absolute(path) }),
    tell: tellView,
  },
  replace: {
    tool: 'filesystem',
    isRead: false,
    toInput: (command) => ({
      command: 'str_replace',
      path: absolute(command.path),
      old_str: command.old,
      new_str: command.new,
    }),
  },
  move: {
    tool: 'filesystem',
    isRead: false,
    toInput: ({ from, to }) => ({ command: 'rename', old_path: absolute(from), new_path: absolute(to) }),
  },
  delete: {
    tool: 'filesystem',
    isRead: false,
    toInput: ({ path }) => ({ command: 'delete', path: absolute(path) }),
  },
  remember: {
    tool: 'memory',
    isRead: false,
    toInput: ({ name, text }) => ({ command: 'create', path: noteOf(name), file_text: text, overwrite: true }),
  },
  recall: {
    tool: 'memory',
    isRead: true,
    toInput: ({ name }) => ({ command: 'view', path: name === '' ? '/memories' : noteOf(name) }),
    tell: tellView,
  },
  summarise: {
    tool: 'filesystem',
    isRead: true,
    toInput: ({ path }) => ({ command: 'view', path: absolute(path) }),
    toFurtherInputs: ({ path }, text) => (isTable(path) ? [] : inputsAfter(text)),
    tell: summarised,
  },
  run: {
    tool: 'javascript',
    isRead: false,
    toInput: ({ javascript }) => ({ code: javascript }),
    tell: tellText,
  },
};

/** A planned call of a command. */
export interface PlannedCall extends Pick<Meaning<Command>, 'tool' | 'isRead'> {
  readonly command: Command;
  readonly input: JsonObject;
  /** True if its result decides about further calls. */
  readonly isDecisive: boolean;
}

/** Calls of a program, in order, as far as the results determine them; `help` has none. */
export function callsFor(commands: readonly Command[], results: readonly ToolResultPart[]): readonly PlannedCall[] {
  const calls: PlannedCall[] = [];
  for (const command of commands) {
    if (command.verb === 'help') continue;
    const { tool, isRead, toInput, toFurtherInputs }: Meaning<Command> = meanings[command.verb];
    const result = results[calls.length];
    const isDecisive = toFurtherInputs !== undefined;
    calls.push({ command, tool, isRead, isDecisive, input: toInput(command) });
    if (result === undefined || result.isError) continue;
    for (const input of toFurtherInputs?.(command, textOf(result.modelParts)) ?? [])
      calls.push({ command, tool, isRead, isDecisive: false, input });
  }
  return calls;
}

/** Result text of a command, beyond its success. */
export function tell({ verb }: Command, answered: readonly AnsweredCall[]): string {
  if (verb === 'help') return '';
  const meaning: Meaning<Command> = meanings[verb];
  return meaning.tell?.(answered) ?? '';
}

/** Phrases for the whole project; a folder of that name is addressed as `/files`. */
const everything = /^(?:(?:all|my|the) )*files$/i;

function absolute(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

/** File of a note: `shopping` is /memories/shopping.md. */
function noteOf(name: string): string {
  return `/memories/${name.replace(/^\/?memories\//, '')}${/\.\w+$/.test(name) ? '' : '.md'}`;
}
