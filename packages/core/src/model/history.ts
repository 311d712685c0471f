import { callReference, callsOf } from './message.ts';
import type { Message, ToolCallPart, ToolResultPart } from './message.ts';

/** The result that the model sees for a call with an unknown outcome. */
export const interruptedText =
  'This call has no result: it was interrupted, or nobody answered. It may or may not have taken effect.';

/**
 * A history that every api accepts: behind each assistant message exactly one result for each of its calls, in call
 * order. A call that has none (the app ended, the run was aborted) is answered as interrupted; a result that belongs to
 * no call is left out. Messages that are already in place stay the same objects.
 */
export function arrangeHistory(messages: readonly Message[]): readonly Message[] {
  const arranged: Message[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as Message;
    if (message.role === 'tool') continue; // taken along by the assistant message before it
    arranged.push(message);
    const calls = message.role === 'assistant' ? callsOf(message) : [];
    if (calls.length === 0) continue;
    const answers = followingResults(messages, index + 1);
    for (const call of calls) arranged.push(answers.get(call.callId) ?? interrupted(message, call));
  }
  return arranged;
}

/**
 * True if the last turn of a history was interrupted: it has calls without a result, or never came. `resume` goes on with it.
 *
 * @example
 * ```ts
 * import { isUnfinished } from '@utensil/core/thread';
 *
 * console.log(isUnfinished([{ id: 'm1', role: 'user', createdAt: 0, parts: [{ type: 'text', text: 'Hello?' }] }])); // true
 * ```
 */
export function isUnfinished(messages: readonly Message[]): boolean {
  const index = messages.findLastIndex(({ role }) => role === 'assistant');
  const [message, isAnswered] = [messages[index], messages.slice(index + 1).every(({ role }) => role !== 'user')];
  if (message === undefined || !isAnswered) return messages.length > 0;
  const results = followingResults(messages, index + 1);
  return callsOf(message).some(({ callId }) => !results.has(callId));
}

/** Calls of the last turn that have no result. */
export function openCalls(messages: readonly Message[]): readonly ToolCallPart[] {
  const index = messages.findLastIndex(({ role }) => role === 'assistant');
  const message = messages[index];
  if (message === undefined) return [];
  const results = followingResults(messages, index + 1);
  return callsOf(message).filter(({ callId }) => !results.has(callId));
}

/** Whether the user has written something since the last turn. */
export function isFollowed(messages: readonly Message[]): boolean {
  return messages.findLast(({ role }) => role !== 'tool')?.role === 'user';
}

/** The results behind a message, up to the next turn, by the call that they belong to: the user may have written before them. */
export function followingResults(messages: readonly Message[], from: number): ReadonlyMap<string, Message> {
  const results = new Map<string, Message>();
  for (let index = from; messages[index] !== undefined && messages[index]?.role !== 'assistant'; index++) {
    const message = messages[index] as Message;
    const found = message.parts.filter((part): part is ToolResultPart => part.type === 'tool-result');
    for (const part of found) results.set(part.callId, found.length === 1 ? message : { ...message, parts: [part] });
  }
  return results;
}

function interrupted({ id, createdAt }: Message, call: ToolCallPart): Message {
  const output = interruptedText;
  const part: ToolResultPart = {
    type: 'tool-result',
    ...callReference(call),
    output,
    modelParts: [{ type: 'text', text: output }],
    isError: true,
    code: 'tool_interrupted',
  };
  return { id: `${id}/${call.callId}`, role: 'tool', parts: [part], createdAt };
}
