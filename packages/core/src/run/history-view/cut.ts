import type { Message } from '../../model/message.ts';
import { estimateAll, estimateTokens } from './estimate.ts';

/** In tokens: the first message of the user often says what everything is about, and stays if it is no longer. */
const shortMessage = 500;

/** In tokens, what the note about missing messages takes without a summary. */
const noteTokens = 60;

/** What stands where earlier messages were. */
export function leftOutText(count: number, summary = ''): string {
  const messages = count === 1 ? '1 earlier message was' : `${count} earlier messages were`;
  const text = `[${messages} left out here: the conversation had become too long. Do not guess what they said: look it up again, or ask.]`;
  return summary === '' ? text : `${text}\n\nA summary of them:\n${summary}`;
}

/** How a history is shortened. */
export interface CompactOptions {
  /** What may be left, in tokens as `estimateTokens` counts them. */
  readonly keep: number;
  /** What is told of the messages that are left out. */
  readonly summary?: string | undefined;
}

/**
 * The newest exchanges of a history that fit: an exchange is a message of the user with all that follows it. Of the
 * newest one, where it alone is too long, its question and its newest steps: turns of the model with their results. A
 * short first message of the user stays, and a note in the user's name says how many messages are missing.
 */
export function compact(messages: readonly Message[], { keep, summary = '' }: CompactOptions): readonly Message[] {
  return cutAt(messages, placeToCut(messages, keep - Math.ceil(summary.length / 4)), summary);
}

/** Where to cut, so that what is left fits: the index of the first message behind the note; 0 where all of it fits. */
export function placeToCut(messages: readonly Message[], keep: number): number {
  if (estimateAll(messages) <= keep) return 0;
  const newest = questionAt(messages, messages.length - 1);
  const start = Math.max(newest, 0);
  const before = estimateAll(kept(messages, start)) + noteTokens;
  const left = keep - before - estimateAll(messages.slice(start));
  return left < 0 ? stepToCut(messages, keep) : earliest(messages, { from: start, left, role: 'user' });
}

/** The first step of the newest exchange that fits with all behind it; the last step in any case. */
function stepToCut(messages: readonly Message[], keep: number): number {
  const question = questionAt(messages, messages.length - 1);
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  if (last <= question + 1) return Math.max(question, 0); // there is no step that could be left out
  const left = keep - noteTokens - estimateAll(kept(messages, last)) - estimateAll(messages.slice(last));
  const cut = earliest(messages, { from: last, left, role: 'assistant' });
  return cut <= question + 1 ? Math.max(question, 0) : cut;
}

/** How far before `from` a cut at a message of this role can be for what is between to fit into `left` tokens. */
function earliest(
  messages: readonly Message[],
  { from, left, role }: { readonly from: number; readonly left: number; readonly role: Message['role'] },
): number {
  let cut = from;
  let room = left;
  for (let index = from - 1; index >= 0; index--) {
    const message = messages[index] as Message;
    room -= estimateTokens(message);
    if (room < 0 || (role === 'assistant' && message.role === 'user')) break;
    if (message.role === role) cut = index;
  }
  return cut;
}

/** The history from `cut` on, with what stays of the messages before and the note; all of it where none is missing. */
export function cutAt(messages: readonly Message[], cut: number, summary?: string): readonly Message[] {
  const first = messages[cut];
  if (first === undefined || cut <= 0) return messages;
  const stays = kept(messages, cut);
  const missing = cut - stays.length;
  return missing === 0 ? messages : [...stays, noteBefore(first, missing, summary), ...messages.slice(cut)];
}

/** What stays of the messages before a cut: the first of the user where it is short, and the question of a step. */
function kept(messages: readonly Message[], cut: number): readonly Message[] {
  const first = messages.findIndex(({ role }) => role === 'user');
  const question = questionAt(messages, cut);
  return messages
    .slice(0, cut)
    .filter((message, index) => index === question || (index === first && estimateTokens(message) <= shortMessage));
}

/** The index of the user's message that the one at `index` belongs to; -1 where there is none. */
function questionAt(messages: readonly Message[], index: number): number {
  return messages.findLastIndex(({ role }, at) => role === 'user' && at <= index);
}

interface Note {
  readonly text: string;
  readonly message: Message;
}

const notes = new WeakMap<Message, Note>();

/** The same note each time, for as long as it says the same. */
function noteBefore(first: Message, missing: number, summary?: string): Message {
  const text = leftOutText(missing, summary);
  const before = notes.get(first);
  if (before?.text === text) return before.message;
  const { id, createdAt } = first;
  const message: Message = { id: `${id}/left-out`, role: 'user', parts: [{ type: 'text', text }], createdAt };
  notes.set(first, { text, message });
  return message;
}
