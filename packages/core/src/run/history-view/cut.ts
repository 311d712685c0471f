import type { Message } from '../../model/message.ts';
import { estimateAll, estimateTokens } from './estimate.ts';

/** In tokens: maximum length of the user's first message to be kept, because it often states the topic. */
const shortMessage = 500;

/** In tokens: size of the note about omitted messages, without a summary. */
const noteTokens = 60;

/** Replaces earlier messages. */
export function leftOutText(count: number, summary = ''): string {
  const messages = count === 1 ? '1 earlier message was' : `${count} earlier messages were`;
  const text = `[${messages} left out here: the conversation had become too long. Do not guess what they said: look it up again, or ask.]`;
  return summary === '' ? text : `${text}\n\nA summary of them:\n${summary}`;
}

/** Options of a cut. */
export interface CompactOptions {
  /** Maximum size of the rest, in tokens as counted by `estimateTokens`. */
  readonly keep: number;
  /** Description of the omitted messages. */
  readonly summary?: string | undefined;
}

/**
 * Keeps the newest exchanges of a history that fit. An exchange is a user message with everything up to the next one.
 * If the newest exchange alone is too long, keeps its question and its newest steps: turns of the model with their
 * results. A short first user message is kept, and a note in the user's name gives the number of omitted messages.
 */
export function compact(messages: readonly Message[], { keep, summary = '' }: CompactOptions): readonly Message[] {
  return cutAt(messages, placeToCut(messages, keep - Math.ceil(summary.length / 4)), summary);
}

/** Finds the cut after which the rest fits: the index of the first message after the note; 0 if everything fits. */
export function placeToCut(messages: readonly Message[], keep: number): number {
  if (estimateAll(messages) <= keep) return 0;
  const newest = questionAt(messages, messages.length - 1);
  const start = Math.max(newest, 0);
  const before = estimateAll(kept(messages, start)) + noteTokens;
  const left = keep - before - estimateAll(messages.slice(start));
  return left < 0 ? stepToCut(messages, keep) : earliest(messages, { from: start, left, role: 'user' });
}

/** The first step of the newest exchange from which on everything fits; at least the last step. */
function stepToCut(messages: readonly Message[], keep: number): number {
  const question = questionAt(messages, messages.length - 1);
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  if (last <= question + 1) return Math.max(question, 0); // no step can be omitted
  const left = keep - noteTokens - estimateAll(kept(messages, last)) - estimateAll(messages.slice(last));
  const cut = earliest(messages, { from: last, left, role: 'assistant' });
  return cut <= question + 1 ? Math.max(question, 0) : cut;
}

/** The earliest message of this role before `from` such that everything in between fits into `left` tokens. */
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

/** The history from `cut` on, with the note and the kept earlier messages; unchanged if nothing is omitted. */
export function cutAt(messages: readonly Message[], cut: number, summary?: string): readonly Message[] {
  const first = messages[cut];
  if (first === undefined || cut <= 0) return messages;
  const stays = kept(messages, cut);
  const missing = cut - stays.length;
  return missing === 0 ? messages : [...stays, noteBefore(first, missing, summary), ...messages.slice(cut)];
}

/** The kept messages before a cut: the user's first if it is short, and the question of a step. */
function kept(messages: readonly Message[], cut: number): readonly Message[] {
  const first = messages.findIndex(({ role }) => role === 'user');
  const question = questionAt(messages, cut);
  return messages
    .slice(0, cut)
    .filter((message, index) => index === question || (index === first && estimateTokens(message) <= shortMessage));
}

/** Index of the user message that the one at `index` belongs to; -1 if there is none. */
function questionAt(messages: readonly Message[], index: number): number {
  return messages.findLastIndex(({ role }, at) => role === 'user' && at <= index);
}

interface Note {
  readonly text: string;
  readonly message: Message;
}

const notes = new WeakMap<Message, Note>();

/** Returns the same note object as long as its text is the same. */
function noteBefore(first: Message, missing: number, summary?: string): Message {
  const text = leftOutText(missing, summary);
  const before = notes.get(first);
  if (before?.text === text) return before.message;
  const { id, createdAt } = first;
  const message: Message = { id: `${id}/left-out`, role: 'user', parts: [{ type: 'text', text }], createdAt };
  notes.set(first, { text, message });
  return message;
}
