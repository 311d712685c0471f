import { isUtensilError } from '@utensil/core';
import { runCommand } from './commands.ts';
import { type Begin, type Conversation, converse } from './converse.ts';
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
    const begin = line.trimStart().startsWith('/')
      ? await command(conversation, line)
      : conversation.session.send(line);
    if (begin === 'quit') return;
    if (begin !== undefined) await interrupts.during((signal) => converse(conversation, begin, signal));
  }
}

/** Does what a line with a slash says. Gives what the conversation goes on with. */
async function command({ terminal, session, screen }: Conversation, line: string): Promise<Begin | 'quit' | undefined> {
  try {
    const done = await runCommand({ session, screen }, line);
    if (done === undefined) return 'quit';
    if (typeof done === 'function') return done;
    terminal.write(done);
  } catch (error) {
    if (!isUtensilError(error)) throw error;
    terminal.write(screen.problem(error.message));
  }
  return undefined;
}
