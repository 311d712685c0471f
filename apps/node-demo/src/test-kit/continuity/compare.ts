// Parts of a thread that arrived in a request, in words: found by comparing the messages with the body that was sent.
import { isDeepStrictEqual } from 'node:util';
import { type Message, type ToolResultPart, callsOf, textOf } from '@utensil/core';
import { arrangeHistory } from '@utensil/core/provider';
import { type Sent, type SentCall, textWithin } from './sent.ts';
import { type Vendor, stateOf } from './vendors.ts';

/** One vendor's request for a thread that another, or itself, has begun. */
export interface Cell {
  readonly from: Vendor;
  readonly to: Vendor;
  readonly messages: readonly Message[];
  readonly body: unknown;
}

/** Lists of kept, adapted and dropped parts. */
export function describeCell(cell: Cell): string {
  return [
    `## ${cell.to.name}\n`,
    `- texts: ${portion(textsOf(cell.messages), textWithin(cell.body))}`,
    `- thoughts: ${portion(thoughtsOf(cell.messages), textWithin(cell.body))}`,
    `- what ${cell.from.name} wants back: ${describeState(cell)}`,
    ...describeCalls(cell.messages, cell.to.read(cell.body)),
    '',
  ].join('\n');
}

function textsOf(messages: readonly Message[]): readonly string[] {
  return messages.filter(({ role }) => role !== 'tool').flatMap(({ parts }) => textOf(parts) || []);
}

function thoughtsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])));
}

/** Number of texts that are present, each counted as often as it occurs. */
function portion(texts: readonly string[], sent: string): string {
  const kept = [...new Set(texts)].reduce((count, text) => {
    const said = texts.filter((each) => each === text).length;
    return count + Math.min(said, sent.split(text).length - 1);
  }, 0);
  if (texts.length === 0) return 'there are none';
  return kept === texts.length ? 'kept' : kept === 0 ? 'dropped' : `${kept} of ${texts.length} kept`;
}

function describeState({ from, messages, body }: Cell): string {
  if (!messages.some(({ origin }) => origin?.state !== undefined)) return 'there is nothing';
  return JSON.stringify(body).includes(stateOf(from)) ? 'given back' : 'dropped';
}

function describeCalls(messages: readonly Message[], sent: Sent): readonly string[] {
  const made = messages.flatMap((message) => callsOf(message));
  const answers = arrangeHistory(messages).flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'));
  const answered = new Set(messages.flatMap(({ parts }) => parts).flatMap(resultId));
  const lines = made.map((call, index) => {
    const told = sent.calls[index];
    const title = `\`${call.name}\` \`${JSON.stringify(call.input)}\``;
    if (told === undefined) return `- ${title}: dropped`;
    const input = isDeepStrictEqual(told.input, call.input) ? 'input kept' : `input ${JSON.stringify(told.input)}`;
    const known = [describeId(call.callId, told), describeName(call.name, told), input];
    const isOpen = !answered.has(call.callId);
    return `- ${title}: ${[...known, describeResult(answers[index], sent, { index, isOpen })].join(', ')}`;
  });
  const more = sent.calls.length - made.length;
  return more > 0 ? [...lines, `- and ${more} calls that nobody made`] : lines;
}

function resultId(part: Message['parts'][number]): readonly string[] {
  return part.type === 'tool-result' ? [part.callId] : [];
}

function describeId(callId: string, { id }: SentCall): string {
  if (id === undefined) return 'no id';
  return `id ${id === callId ? 'kept' : 'adapted'}`;
}

function describeName(name: string, told: SentCall): string {
  return told.name === name ? 'name kept' : `name adapted to \`${String(told.name)}\``;
}

function describeResult(
  answer: ToolResultPart | undefined,
  { results }: Sent,
  { index, isOpen }: { readonly index: number; readonly isOpen: boolean },
): string {
  const told = results[index];
  if (answer === undefined || told === undefined) return 'result dropped';
  const isKept = told.text.includes(textOf(answer.modelParts));
  const what = isOpen ? 'answered as interrupted' : 'result kept';
  const mark = answer.isError ? (told.isMarked ? ', marked as a failure' : ', a failure by its words') : '';
  return isKept ? what + mark : 'result changed';
}
