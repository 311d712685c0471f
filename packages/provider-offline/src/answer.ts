import { textOf, type ToolResultPart } from '@utensil/core';
import type { PlannedCall } from './calls.ts';
import { format } from './format.ts';
import { type Command, forms } from './grammar.ts';

const introduction = 'I am no language model: I understand a few commands, and nothing else.';

const examples: readonly string[] = [
  'write notes/todo.md: buy milk then read notes/todo.md',
  'replace milk with "oat milk" in notes/todo.md',
  'list',
];

/** What is said to a text that is no program. */
export function notUnderstood(problem: string): string {
  return [introduction, problem, '', 'Try one of these:', ...indent(examples), '', 'All commands: help'].join('\n');
}

const help = [
  introduction,
  '',
  'The commands:',
  ...indent(Object.values(forms)),
  '',
  'Join them with "then". Quotes keep a text together, with \\n for a line break: write a.md: "First, then list.\\n"',
].join('\n');

/** How far a program has come. */
export interface Progress {
  readonly commands: readonly Command[];
  readonly calls: readonly PlannedCall[];
  /** Of the first calls. */
  readonly results: readonly ToolResultPart[];
  /** Why the rest is not done. */
  readonly stopped?: string;
}

/** What is said at the end of a program: what each command brought, and what is left. */
export function summary({ commands, calls, results, stopped }: Progress): string {
  const left = calls.slice(results.length).map(({ command }) => label(command));
  const sections = [
    ...calls.slice(0, results.length).map(({ command }, index) => section(command, results[index])),
    ...(commands.some(({ verb }) => verb === 'help') ? [help] : []),
    ...(stopped === undefined ? [] : [stopped]),
    ...(left.length === 0 ? [] : [['Not done:', ...indent(left)].join('\n')]),
  ];
  return sections.join('\n\n');
}

function section(command: Command, result: ToolResultPart | undefined): string {
  const mark = result?.isError === false ? '✓' : '✗';
  return `${mark} ${label(command)}\n${textOf(result?.modelParts ?? []).trimEnd()}`;
}

const labelLength = 72;

/** A command on one short line. */
export function label(command: Command): string {
  const characters = [...format([command])];
  return characters.length <= labelLength ? characters.join('') : `${characters.slice(0, labelLength - 1).join('')}…`;
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}
