import { isMedia, toWords } from '@utensil/core/provider';
import type { Message, Part, ToolCallPart, ToolResultPart } from '@utensil/core';
import type { Dialect } from '../dialects/dialect.ts';
import { writeResult } from './results.ts';
import type { ToolIndex } from '../read/tool-index.ts';
import { writeInDialect } from './write-calls.ts';

/**
 * A history in which calls and results are text of the dialect: results are user messages, and consecutive messages of
 * the same role are merged. Thoughts and provider state are left out.
 */
export function toTextHistory(messages: readonly Message[], dialect: Dialect, tools: ToolIndex): readonly Message[] {
  const broken = new Map<string, string>();
  const translated: Message[] = [];
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.type === 'tool-call' && part.invalidInput !== undefined) broken.set(part.callId, part.invalidInput);
    }
    const parts = translate(message, { dialect, tools, broken });
    if (parts.length === 0) continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const before = translated.at(-1);
    if (before?.role === role) translated[translated.length - 1] = { ...before, parts: joined(before.parts, parts) };
    else translated.push({ id: message.id, role, parts, createdAt: message.createdAt });
  }
  return translated;
}

const blank = /\s+/g;

/** Tells whether a text stands in a result of a conversation, whatever the blanks. The results are joined once asked for. */
export function resultsOf(messages: readonly Message[]): (text: string) => boolean {
  let joined: string | undefined;
  const parts = (): readonly ToolResultPart[] =>
    messages.flatMap((message) => message.parts.filter((part) => part.type === 'tool-result'));
  return (text) => {
    const wanted = text.replace(blank, '');
    joined ??= parts().map(wordsOf).join('\n').replace(blank, '');
    return wanted !== '' && joined.includes(wanted);
  };
}

function wordsOf({ modelParts }: ToolResultPart): string {
  return modelParts.flatMap((each) => (isMedia(each) ? [] : toWords(each))).join('\n');
}

interface Translation {
  readonly dialect: Dialect;
  readonly tools: ToolIndex;
  /** The text of each call that could not be read. */
  readonly broken: ReadonlyMap<string, string>;
}

function translate({ role, parts }: Message, translation: Translation): readonly Part[] {
  if (role === 'assistant') return translateCalls(parts, translation);
  return parts.flatMap((part): readonly Part[] => {
    if (part.type === 'tool-result') return translateResult(part, translation);
    return part.type === 'reasoning' ? [] : [part];
  });
}

/** Text, and the calls behind each other as one block. */
function translateCalls(parts: readonly Part[], { dialect, tools }: Translation): readonly Part[] {
  let made: readonly Part[] = [];
  let open: ToolCallPart[] = [];
  const close = (): void => {
    if (open.length > 0) made = joined(made, [{ type: 'text', text: writeInDialect(dialect, open, tools) }]);
    open = [];
  };
  for (const part of parts) {
    if (part.type === 'reasoning' || part.type === 'source' || part.type === 'provider-result') continue;
    if (part.type === 'tool-call') {
      if (part.executedBy === 'provider') continue;
      if (part.invalidInput === undefined) open.push(part);
      else {
        close();
        made = joined(made, [{ type: 'text', text: splitInvalid(part.invalidInput).text }]);
      }
      continue;
    }
    close();
    if (part.type !== 'text' || part.text !== '') made = joined(made, [part]);
  }
  close();
  return made;
}

function translateResult(part: ToolResultPart, { dialect, tools, broken }: Translation): readonly Part[] {
  const invalid = broken.get(part.callId);
  const others = part.modelParts.filter(isMedia);
  const said = wordsOf(part);
  const text = invalid === undefined ? said : explained(splitInvalid(invalid).problem, said);
  return [{ type: 'text', text: writeResult({ ...part, text, tools }, dialect) }, ...others];
}

/** Core's error for a call that it could not read as JSON: true, but no help to a model that did not write JSON. */
const unhelpful: readonly string[] = [
  'Failed to parse JSON arguments:',
  'Arguments must be a JSON object.',
  'Unknown tool: unreadable_call',
];

function explained(problem: string, said: string): string {
  if (problem === '') return said;
  return unhelpful.some((start) => said.startsWith(start)) ? problem : `${problem}\n${said}`;
}

/** An unreadable call is kept as its error, a line break, and its text. */
export function joinInvalid(problem: string, text: string): string {
  return `${problem.replaceAll('\n', ' ')}\n${text}`;
}

function splitInvalid(invalid: string): { readonly problem: string; readonly text: string } {
  const end = invalid.indexOf('\n');
  if (!invalid.startsWith('Malformed tool invocation:') || end < 0) return { problem: '', text: invalid };
  return { problem: invalid.slice(0, end), text: invalid.slice(end + 1) };
}

/** Parts in a row; texts that meet become one, on lines of their own. */
function joined(before: readonly Part[], parts: readonly Part[]): readonly Part[] {
  const last = before.at(-1);
  const [first, ...rest] = parts;
  if (last?.type !== 'text' || first?.type !== 'text') return [...before, ...parts];
  const gap = last.text.endsWith('\n') || last.text === '' ? '' : '\n';
  return [...before.slice(0, -1), { type: 'text', text: `${last.text}${gap}${first.text}` }, ...rest];
}
