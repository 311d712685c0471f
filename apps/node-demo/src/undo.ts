import { isUtensilError, type Message, textOf } from '@utensil/core';
import type { History } from '@utensil/storage-versioned';

/** A turn is named after the message that asked for it, so that every process can undo it. */
export function turnOf(messages: readonly Message[]): string | undefined {
  return messages.findLast(({ role }) => role === 'user')?.id;
}

/** Takes back what the last turn that changed something did. Gives what had been asked for then; undefined where nothing is left. */
export async function undoLast(messages: readonly Message[], history: History): Promise<string | undefined> {
  for (const { role, id, parts } of messages.toReversed()) {
    if (role === 'user' && (await undo(history, id))) return textOf(parts);
  }
  return undefined;
}

/** Whether there was anything to take back. */
async function undo(history: History, turn: string): Promise<boolean> {
  try {
    await history.undo(turn);
    return true;
  } catch (error) {
    if (isUtensilError(error, 'ESTALE')) return false;
    throw error;
  }
}
