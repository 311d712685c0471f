import type { ToolResultPart } from '@utensil/core';
import { toWords } from '@utensil/core/provider';
import type { AnsweredCall } from './answered-call.ts';
import { type PlannedCall, tell } from './calls.ts';
import { codeSpan, fenced } from './fenced.ts';
import { format } from './format.ts';
import { type Command, forms, verbOf } from './grammar.ts';
import { shorten } from './shorten.ts';

const introduction = 'I am not a language model: I understand a few commands, and turn them into real tool calls.';

const allCommands = 'Type `help` for all commands.';

/** Default examples. */
export const usualExamples: readonly string[] = [
  'write notes/todo.md: buy milk then read notes/todo.md',
  'replace milk with "oat milk" in notes/todo.md',
  'list',
];

/** Response to a text that is not a program: a greeting, or the problem with a command. */
export function notUnderstood(
  text: string,
  { problem, examples }: { readonly problem: string; readonly examples: readonly string[] },
): string {
  const verb = verbOf(/^\s*(\S+)/.exec(text)?.[1] ?? '');
  const opening = verb === undefined || verb === 'help' ? greeting(text) : plain(problem);
  const proposal = examples.length === 0 ? [] : [['Try one of these:', '', ...list(examples)].join('\n')];
  return [opening, ...proposal, allCommands].join('\n\n');
}

/** An introduction; an attempted command is first told that it was not understood. */
function greeting(text: string): string {
  return `${isGreeting(text) ? 'Hello!' : 'I did not understand that.'} ${introduction}`;
}

const greetings = /^\s*(?:hello|hi|hey|help|good (?:morning|afternoon|evening)|what can you do|who are you)\b/i;

/** Empty messages and emoji count as greetings, because they contain no words. */
function isGreeting(text: string): boolean {
  return greetings.test(text) || !/[\p{L}\p{N}]/u.test(text);
}

const help = [
  introduction,
  list(Object.values(forms)).join('\n'),
  'Join them with `then`. Quotes keep a text together, with `\\n` for a line break: `write a.md: "First, then list.\\n"`.',
].join('\n\n');

/** Progress of a program. */
export interface Progress {
  readonly commands: readonly Command[];
  readonly calls: readonly PlannedCall[];
  /** Results of the first calls. */
  readonly results: readonly ToolResultPart[];
  /** Reason that the rest was not done. */
  readonly stopped?: string;
}

/** Final summary: the result of each command, and the commands not done. */
export function summary({ commands, calls, results, stopped }: Progress): string {
  const called = commands.filter(({ verb }) => verb !== 'help');
  const outcomes = called.map((command) => outcomeOf(command, { calls, results }));
  const left = outcomes.filter(({ status }) => status === 'left');
  const sections = [
    ...outcomes.filter(({ status }) => status !== 'left').map(section),
    ...(called.length < commands.length ? [help] : []),
    ...(stopped === undefined ? [] : [stopped]),
    ...(left.length === 0 ? [] : ['Not done:', list(left.map(({ command }) => label(command))).join('\n')]),
  ];
  return sections.join('\n\n');
}

/** Result of a command. */
interface Outcome {
  readonly command: Command;
  readonly status: 'done' | 'failed' | 'left';
  readonly text: string;
}

function outcomeOf(command: Command, { calls, results }: Pick<Progress, 'calls' | 'results'>): Outcome {
  const own = calls.flatMap((call, index) => (call.command === command ? [{ call, result: results[index] }] : []));
  const failed = own.find(({ result }) => result?.isError)?.result;
  if (failed !== undefined) return { command, status: 'failed', text: failure(failed) };
  const answered = own.flatMap(({ call: { input }, result }): readonly AnsweredCall[] =>
    result === undefined ? [] : [{ input, text: wordsOf(result) }],
  );
  if (answered.length < own.length) return { command, status: 'left', text: '' };
  return { command, status: 'done', text: tell(command, answered) };
}

/** A failure in the words of the tool or the policy. If a person declined, the advice for models is omitted. */
function failure({ deniedBy, modelParts }: ToolResultPart): string {
  return deniedBy === 'user' ? 'You declined this.' : fenced(wordsOf({ modelParts }));
}

function wordsOf({ modelParts }: Pick<ToolResultPart, 'modelParts'>): string {
  return modelParts.map(toWords).join('\n');
}

function section({ command, status, text }: Outcome): string {
  const head = `${status === 'done' ? '✓' : '✗'} ${codeSpan(label(command))}`;
  return text === '' ? head : `${head}\n\n${text}`;
}

/** A command on one short line. */
export function label(command: Command): string {
  return shorten(format([command]), 72);
}

function list(commands: readonly string[]): readonly string[] {
  return commands.map((command) => `- ${codeSpan(command)}`);
}

/** Escapes user text for Markdown. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>]/g, '\\$&');
}
