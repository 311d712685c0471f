import type { Answer, Run, RunEvent } from '@utensil/core';
import type { Conversation } from './converse.ts';
import { judgedOf } from './preview.ts';

/** A question of a run to the person. */
export type Question = Extract<RunEvent, { type: 'approval-request' | 'recovery-request' }>;

/** How a question is put, and what a person may say to it. */
interface Wording {
  readonly text: string;
  readonly answers: readonly (readonly [said: RegExp, answer: Answer])[];
  /** Of what is said otherwise. Without: it is asked again. */
  readonly otherwise?: Answer;
}

const wordings: Readonly<Record<Question['type'], Wording>> = {
  'approval-request': {
    text: '  Allow this? y once, r for this run, a always, n no: ',
    answers: [
      [/^(?:y|yes|o|once)$/i, 'once'],
      [/^(?:r|run)$/i, 'run'],
      [/^(?:a|always)$/i, 'always'],
    ],
    otherwise: 'deny',
  },
  'recovery-request': {
    text: '  y take it as done, n leave it, a do it again: ',
    answers: [
      [/^(?:y|yes|accept)$/i, 'accept'],
      [/^(?:n|no|reject)$/i, 'reject'],
      [/^(?:a|again)$/i, 'again'],
    ],
  },
};

/** Asks the person, and tells the run. What nobody answers any more stays open where it must, and the run is stopped. */
export async function askPerson(
  { terminal, screen }: Conversation,
  running: Run,
  { event, signal }: { readonly event: Question; readonly signal: AbortSignal },
): Promise<void> {
  const { text, answers, otherwise } = wordings[event.type];
  const shown =
    event.type === 'approval-request' ? screen.change(event.callId, judgedOf(event)) : screen.uncertain(event.callId);
  terminal.write(shown);
  for (;;) {
    const said = await terminal.ask(text, signal);
    if (signal.aborted) return;
    const [, answer = otherwise] = answers.find(([words]) => words.test(said?.trim() ?? '')) ?? [];
    if (answer !== undefined) return running.answer(event.callId, answer, event.runId);
    if (said === undefined) return running.stop();
  }
}
