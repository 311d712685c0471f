import { isUtensilError, type Message, textOf } from '@utensil/core';
import type { History } from '@utensil/storage-versioned';

/** Turns are named after the message that started them, so that any process can undo them. */
export function turnOf(messages: readonly Message[]): string | undefined {
  return messages.findLast(({ role }) => role === 'user')?.id;
}

/** Undoes the last turn that changed files. Returns its request; undefined if there is nothing to undo. */
export async function undoLast(messages: readonly Message[], history: History): Promise<string | undefined> {
  for (const { role, id, parts } of messages.toReversed()) {
    if (role === 'user' && (await undo(history, id))) return textOf(parts);
  }
  return undefined;
}

/** True if there was something to undo. */
async function undo(history: History, turn: string): Promise<boolean> {
  try {
    await history.undo(turn);
    return true;
  } catch (error) {
    if (isUtensilError(error, 'ESTALE')) return false;
    throw error;
  }
}
