import type { JsonObject } from '@utensil/core';
import type { Command, CommandOf, Verb } from './grammar.ts';

/** What a command is as a call of a tool. */
interface Meaning<Of> {
  readonly tool: 'filesystem' | 'memory';
  /** It changes nothing, so it may run beside others of its kind. */
  readonly isRead: boolean;
  toInput(command: Of): JsonObject;
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
  },
  list: {
    tool: 'filesystem',
    isRead: true,
    toInput: ({ path }) => ({ command: 'view', path: absolute(path) }),
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
  },
};

/** A command as a call. */
export interface PlannedCall extends Pick<Meaning<Command>, 'tool' | 'isRead'> {
  readonly command: Command;
  readonly input: JsonObject;
}

/** The calls of a program, in order; `help` is none. */
export function callsFor(commands: readonly Command[]): readonly PlannedCall[] {
  return commands.flatMap((command) => {
    if (command.verb === 'help') return [];
    const { tool, isRead, toInput }: Meaning<Command> = meanings[command.verb];
    return [{ command, tool, isRead, input: toInput(command) }];
  });
}

function absolute(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

/** The file of a note: `shopping` is /memories/shopping.md. */
function noteOf(name: string): string {
  return `/memories/${name.replace(/^\/?memories\//, '')}${/\.\w+$/.test(name) ? '' : '.md'}`;
}
