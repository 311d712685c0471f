import { isUtensilError } from '@utensil/core';
import { runCommand } from './commands.ts';
import { type Conversation, converse } from './converse.ts';
import type { Interrupts } from './interrupts.ts';

/** A conversation, until the person ends it. */
export async function chat(conversation: Conversation, interrupts: Interrupts): Promise<void> {
  const { terminal, screen } = conversation;
  for (;;) {
    terminal.write(screen.prompt());
    const line = await terminal.nextLine();
    if (line === undefined) return;
    interrupts.reset();
    if (line.trim() === '') continue;
    if (!line.trimStart().startsWith('/')) await interrupts.during((signal) => converse(conversation, line, signal));
    else if (!(await command(conversation, line))) return;
  }
}

/** Whether the conversation goes on. */
async function command({ terminal, session, screen }: Conversation, line: string): Promise<boolean> {
  try {
    const shown = await runCommand({ session, screen }, line);
    if (shown !== undefined) terminal.write(shown);
    return shown !== undefined;
  } catch (error) {
    if (!isUtensilError(error)) throw error;
    terminal.write(screen.problem(error.message));
    return true;
  }
}
