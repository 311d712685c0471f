import { callReference, callsOf } from './message.ts';
import type { Message, ToolCallPart, ToolResultPart } from './message.ts';

/** Result shown to the model for a call whose outcome is unknown. */
export const interruptedText =
  'This call has no result: it was interrupted, or nobody answered. It may or may not have taken effect.';

/**
 * Normalizes a history so that every API accepts it: each assistant message is followed by exactly one result per call,
 * in call order. Calls without a result (after a crash or an abort) are answered as interrupted; results without a call
 * are dropped. Messages already in place keep their identity.
 */
export function arrangeHistory(messages: readonly Message[]): readonly Message[] {
  const arranged: Message[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as Message;
    if (message.role === 'tool') continue; // handled with the assistant message before it
    arranged.push(message);
    const calls = message.role === 'assistant' ? callsOf(message) : [];
    if (calls.length === 0) continue;
    if (areInPlace(messages, index + 1, calls)) {
      arranged.push(...messages.slice(index + 1, index + 1 + calls.length));
      continue;
    }
    const answers = followingResults(messages, index + 1);
    for (const call of calls) arranged.push(answers.get(call.callId) ?? interrupted(message, call));
  }
  return arranged;
}

/** True if exactly one result per call follows, in call order, and nothing that could be a later result of one. */
function areInPlace(messages: readonly Message[], from: number, calls: readonly ToolCallPart[]): boolean {
  const isAnswered = ({ callId }: ToolCallPart, at: number): boolean => {
    const { role, parts = [] } = messages[from + at] ?? {};
    return role === 'tool' && parts.length === 1 && parts[0]?.type === 'tool-result' && parts[0].callId === callId;
  };
  const behind = messages[from + calls.length];
  return (behind === undefined || behind.role === 'assistant') && calls.every(isAnswered);
}

/**
 * True if the last turn of a history was interrupted: it never arrived, or has calls without results. `resume`
 * continues it.
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

/** Calls of the last turn without a result. */
export function openCalls(messages: readonly Message[]): readonly ToolCallPart[] {
  const index = messages.findLastIndex(({ role }) => role === 'assistant');
  const message = messages[index];
  if (message === undefined) return [];
  const results = followingResults(messages, index + 1);
  return callsOf(message).filter(({ callId }) => !results.has(callId));
}

/** True if the user has written something since the last turn. */
export function isFollowed(messages: readonly Message[]): boolean {
  return messages.findLast(({ role }) => role !== 'tool')?.role === 'user';
}

/** Results after a message and before the next turn, by call id. User messages may come before them. */
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
