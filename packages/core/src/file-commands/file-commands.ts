import { isUtensilError } from '../base/errors.ts';
import type { ErrorCode, UtensilError } from '../base/errors.ts';
import { copy, makeDirectory, remove, rename } from './arrange.ts';
import { quoted, refused } from './call.ts';
import type { Call, CommandAnswer, CommandContext, FileCommandsOptions } from './call.ts';
import { append, create, insert, replace } from './edit.ts';
import { isCommand, missingText } from './input.ts';
import type { CommandInput, CommandName } from './input.ts';
import type { Preview } from '../tool/presentation.ts';
import { isHidden, isInside, placeAnywhere, placeBelow } from './place.ts';
import { fill } from './texts.ts';
import type { CommonTextName, Texts, ToolTexts } from './texts.ts';
import { view, viewLimit } from './view.ts';

/** A command as its runner sees it. */
interface Command {
  run(call: Call): Promise<CommandAnswer>;
  /** Wording of expected file errors. All others are passed on unchanged. */
  readonly failures?: { readonly [Code in ErrorCode]?: CommonTextName | keyof ToolTexts };
  /** The path that it creates. */
  readonly makes?: 'path' | 'to';
  /** The paths that it changes, and the answer if they are read-only. */
  readonly changes?: { readonly [Place in 'path' | 'from' | 'to']?: keyof Texts };
}

const commands: { readonly [Name in Exclude<CommandName, 'view-all'>]: Command } = {
  view: { run: view, failures: { ENOENT: 'viewMissing' } },
  create: { run: create, makes: 'path', changes: { path: 'writeReadOnly' } },
  str_replace: {
    run: replace,
    changes: { path: 'writeReadOnly' },
    failures: {
      ENOENT: 'replaceMissing',
      EISDIR: 'replaceDirectory',
      string_not_found: 'oldTextNotFound',
      binary_file: 'editBinary',
    },
  },
  insert: {
    run: insert,
    changes: { path: 'writeReadOnly' },
    failures: { ENOENT: 'insertMissing', EISDIR: 'notAFile', binary_file: 'editBinary' },
  },
  delete: { run: remove, changes: { path: 'deleteReadOnly' }, failures: { ENOENT: 'deleteMissing' } },
  rename: {
    run: rename,
    makes: 'to',
    changes: { from: 'moveFromReadOnly', to: 'moveToReadOnly' },
    failures: { ENOENT: 'renameMissing' },
  },
  copy: { run: copy, makes: 'to', changes: { to: 'writeReadOnly' }, failures: { ENOENT: 'copyMissing' } },
  mkdir: { run: makeDirectory, makes: 'path', changes: { path: 'writeReadOnly' } },
  append: { run: append, makes: 'path', changes: { path: 'writeReadOnly' }, failures: { binary_file: 'appendBinary' } },
};

/** Maximum number of paths to view in parallel. */
const mostPaths = 100;

/** A set of file commands. */
export interface FileCommands {
  /** Runs a command. Problems that the model can fix are in the answer; everything else is thrown. */
  run(input: CommandInput, context: CommandContext): Promise<CommandAnswer>;
  /** Files that a command would change; undefined if it would be refused. */
  preview(input: CommandInput, context: CommandContext): Promise<Preview | undefined>;
}

/**
 * Creates the commands shared by file tools: view, create, str_replace, insert, delete, rename, copy, mkdir, append and
 * view-all. `options` define a tool's wording and rules.
 */
export function fileCommands(options: FileCommandsOptions): FileCommands {
  const { texts } = options;

  async function run(input: CommandInput, context: CommandContext, limit = viewLimit): Promise<CommandAnswer> {
    const { command } = input;
    if (typeof command !== 'string' || command === '') return refused(texts.commandRequired, {});
    if (!isCommand(command)) return refused(texts.unknownCommand, { command: quoted(command) });
    const missing = missingText(command, input);
    if (missing !== undefined) return refused(texts[missing], { command });
    if (command === 'view-all') return viewAll(input.paths ?? [], context);
    return runCommand(commands[command], { ...options, input, lineNumbers: true, ...context, limit });
  }

  async function viewAll(paths: readonly string[], context: CommandContext): Promise<CommandAnswer> {
    if (paths.length === 0) return refused(texts.pathsEmpty, {});
    const shown = paths.slice(0, mostPaths);
    const limit = Math.floor(viewLimit / shown.length);
    const answers: CommandAnswer[] = [];
    for (const path of shown) {
      const answer = await run({ command: 'view', path }, context, limit);
      const values = { path: quoted(shownPath(options, path)) };
      const heading = fill(answer.isError ? texts.errorSection : texts.section, values);
      answers.push({ ...answer, text: `${heading}\n${answer.text}` });
    }
    const counts = { shown: shown.length, total: paths.length };
    const note = paths.length > shown.length ? [fill(texts.pathsTruncated, counts)] : [];
    const sections = [...answers.map(({ text }) => text), ...note];
    return { text: sections.join('\n\n'), isError: answers.every(({ isError }) => isError) };
  }

  return {
    run: (input, context) => run(input, context),
    async preview(input, context) {
      const { previewChanges } = await import('./preview.ts');
      const paths = [input.path, input.old_path, input.new_path].flatMap((path) => path ?? []);
      const placed = paths.map((path) => shownPath(options, path));
      return previewChanges(context.files, placed, async (files) => !(await run(input, { ...context, files })).isError);
    },
  };
}

type Unplaced = Omit<Call, 'path' | 'from' | 'to' | 'values'>;

async function runCommand(command: Command, unplaced: Unplaced): Promise<CommandAnswer> {
  const { input, texts } = unplaced;
  const asked = { path: input.path ?? '', from: input.old_path ?? '', to: input.new_path ?? '' };
  const told = { command: input.command ?? '', oldText: quoted(input.old_str ?? ''), line: input.insert_line ?? 0 };
  let values = { ...told, path: quoted(asked.path), from: quoted(asked.from), to: quoted(asked.to) };
  try {
    const placed = {
      path: place(unplaced, asked.path),
      from: place(unplaced, asked.from),
      to: place(unplaced, asked.to),
    };
    const outside = places.find((name) => placed[name] === undefined);
    if (outside !== undefined) return refused(texts.outside ?? texts.failed, { path: values[outside] });
    const { path = '', from = '', to = '' } = placed;
    values = { ...told, path, from, to };
    const call: Call = { ...unplaced, path, from, to, values };
    return ruledOut(command, call) ?? (await command.run(call));
  } catch (error) {
    if (isUtensilError(error)) return explained(error, command, { texts, values });
    throw error;
  }
}

const places = ['path', 'from', 'to'] as const;

/** Resolves a path; undefined if it leaves the root. Empty stays empty. */
function place({ root, texts }: FileCommandsOptions, path: string): string | undefined {
  if (path === '') return path;
  return texts.outside === undefined ? placeAnywhere(path) : placeBelow(root, path);
}

/** A path as the heading of a view's section. */
function shownPath(options: FileCommandsOptions, path: string): string {
  try {
    return place(options, path) ?? path;
  } catch {
    return path; // the section explains the problem
  }
}

/** The refusal by the tool's rules, if any. */
function ruledOut({ changes = {}, makes }: Command, call: Call): CommandAnswer | undefined {
  const { readOnly, texts, values } = call;
  const isReadOnly = (name: (typeof places)[number]): boolean =>
    readOnly !== undefined && isInside(readOnly, call[name]);
  const forbidden = places.find((name) => changes[name] !== undefined && isReadOnly(name));
  const text = forbidden && changes[forbidden] && texts[changes[forbidden]];
  if (forbidden !== undefined && text !== undefined) return refused(text, { ...values, path: call[forbidden] });
  const isRefused = texts.hidden !== undefined && makes !== undefined && isHidden(call[makes], call);
  return isRefused ? refused(texts.hidden, { path: call[makes] }) : undefined;
}

function explained(
  error: UtensilError,
  { failures = {} }: Command,
  { texts, values }: Pick<Call, 'texts' | 'values'>,
): CommandAnswer {
  const name = failures[error.code];
  return name === undefined ? refused(texts.failed, { message: error.message }) : refused(texts[name], values);
}
