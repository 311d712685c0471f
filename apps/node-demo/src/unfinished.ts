import { callsOf, type Message } from '@utensil/core';

/** True if a conversation was interrupted: its last message is not an answer, or only the beginning of one. */
export function isUnfinished(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  if (last === undefined) return false;
  return last.role !== 'assistant' || last.incomplete === true || callsOf(last).length > 0;
}
