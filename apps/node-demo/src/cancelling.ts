import type { Run } from '@utensil/core';
import type { CallsUnderWay } from './calls-under-way.ts';
import type { Conversation } from './conversation.ts';

const cancelLine = /^\s*\/cancel(?:\s+(\S+))?\s*$/;

/**
 * Handles `/cancel` while an answer is under way: lists the running calls, or cancels one. Returns whether it took the
 * line; any other line is the next message, or an answer.
 */
export function takesCancel(
  { terminal, screen }: Pick<Conversation, 'terminal' | 'screen'>,
  running: Pick<Run, 'cancel'>,
  calls: CallsUnderWay,
): (line: string) => boolean {
  return (line) => {
    const found = cancelLine.exec(line);
    if (found === null) return false;
    const [, number] = found;
    terminal.write(number === undefined ? list() : cancel(number));
    return true;
  };

  function list(): string {
    const rows = calls.rows();
    if (rows.length === 0) return screen.note('No call runs at the moment.');
    return screen.table(rows) + screen.note('To cancel one, type /cancel and its number.');
  }

  function cancel(number: string): string {
    const title = calls.cancel(running, Number(number));
    if (title !== undefined) return ''; // the end is shown at its call
    return screen.problem(`No call of the number ${number} runs. /cancel lists those that do.`);
  }
}
