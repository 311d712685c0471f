import { isUtensilError } from '@utensil/core';
import type { Question, QuestionAnswer } from '@utensil/core';
import { goesOn, runCommand } from './commands.ts';
import type { Conversation } from './conversation.ts';
import { converse } from './converse.ts';
import type { Begin } from './session.ts';
import { exitCodeOf, exitCodes, gravest } from './exit-codes.ts';
import { followOther } from './follow.ts';
import type { Interrupts } from './interrupts.ts';
import { askAbout } from './questions.ts';

/**
 * A conversation, until the person ends it. Returns its exit code: 0 for a person, who saw how each answer ended; for a
 * script that pipes its lines in, the most severe code.
 */
export async function chat(conversation: Conversation, interrupts: Interrupts): Promise<number> {
  const { terminal, screen } = conversation;
  const codes: number[] = [];
  for (;;) {
    terminal.write(screen.prompt());
    const line = await terminal.nextLine();
    if (line === undefined) break;
    interrupts.reset();
    if (line.trim() === '') continue;
    if (
      (await goesOn(conversation.session, line)) &&
      !(await interrupts.during((signal) => followOther(conversation, signal)))
    ) {
      terminal.write(screen.note('Not sent: the other program goes on by itself.'));
      continue;
    }
    const begin = line.trimStart().startsWith('/')
      ? await command(conversation, line, interrupts)
      : conversation.session.send(line);
    if (begin === 'quit') break;
    if (typeof begin === 'number') codes.push(begin);
    else codes.push(exitCodeOf(await interrupts.during((signal) => converse(conversation, begin, signal))));
    if (!terminal.isPerson && codes.at(-1) === exitCodes.interrupted) break;
  }
  return terminal.isPerson ? exitCodes.answered : gravest(codes);
}

/** Runs a slash command. Returns the answer to begin next, or an exit code. */
async function command(
  conversation: Conversation,
  line: string,
  interrupts: Interrupts,
): Promise<Begin | 'quit' | number> {
  const { terminal, session, screen, results } = conversation;
  const ask = (question: Question): Promise<QuestionAnswer | undefined> =>
    interrupts.during((signal) => askAbout(conversation, question, signal));
  try {
    const done = await runCommand(
      {
        session,
        screen: results,
        ask,
        askLine: (question) => interrupts.during((signal) => terminal.ask(question, signal)),
        tell: (text) => terminal.write(text),
        during: (work) => interrupts.during(work),
      },
      line,
    );
    if (done === undefined) return 'quit';
    if (typeof done === 'function') return done;
    terminal.writeResult(done);
    return exitCodes.answered;
  } catch (error) {
    if (!isUtensilError(error)) throw error;
    terminal.write(screen.problem(error.message));
    return exitCodes.failed;
  }
}
