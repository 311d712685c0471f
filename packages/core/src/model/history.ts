import { callsOf } from './message.ts';
import type { Message, ToolCallPart, ToolResultPart } from './message.ts';

/** Result shown to the model for a call whose outcome is unknown. */
export const interruptedText =
  'This call has no result: it was interrupted, or nobody answered. It may or may not have taken effect.';

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
  if (lastTurn(messages) === -1) return messages.length > 0;
  return isFollowed(messages) || openCalls(messages).length > 0;
}

/** Position of the last turn of the model; -1 if there is none. */
export function lastTurn(messages: readonly Message[]): number {
  return messages.findLastIndex(({ role }) => role === 'assistant');
}

/** Calls of the last turn without a result. */
export function openCalls(messages: readonly Message[]): readonly ToolCallPart[] {
  const index = lastTurn(messages);
  const message = messages[index];
  if (message === undefined) return [];
  const results = followingResults(messages, index + 1);
  return callsOf(message).filter(({ callId }) => !results.has(callId));
}

/** True if the user has written something since the last turn. */
export function isFollowed(messages: readonly Message[]): boolean {
  return messages.findLast(({ role }) => role !== 'tool')?.role === 'user';
}

/** The first result of each call after a message and before the next turn, by call id. User messages may come before them. */
export function followingResults(messages: readonly Message[], from: number): ReadonlyMap<string, Message> {
  const results = new Map<string, Message>();
  for (let index = from; messages[index] !== undefined && messages[index]?.role !== 'assistant'; index++) {
    const message = messages[index] as Message;
    const found = message.parts.filter((part): part is ToolResultPart => part.type === 'tool-result');
    for (const part of found)
      if (!results.has(part.callId))
        results.set(part.callId, found.length === 1 ? message : { ...message, parts: [part] });
  }
  return results;
}
