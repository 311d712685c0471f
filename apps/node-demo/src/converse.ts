import type { Run, RunEvent, RunStatus } from '@utensil/core';
import { createCallsUnderWay } from './calls-under-way.ts';
import type { CallsUnderWay } from './calls-under-way.ts';
import { takesCancel } from './cancelling.ts';
import type { Conversation } from './conversation.ts';
import { innermost } from './innermost.ts';
import { askPerson, isQuestion } from './questions.ts';
import type { Begin } from './session.ts';
import { storageAdvice } from './workspace.ts';

/** Outcome of an answer. */
export interface Outcome {
  readonly status: RunStatus;
  readonly wasDenied: boolean;
}

/** Begins an answer, and shows events until it is complete. */
export async function converse(conversation: Conversation, begin: Begin, signal: AbortSignal): Promise<Outcome> {
  const { terminal } = conversation;
  const running = begin(signal);
  const calls = createCallsUnderWay();
  return terminal.during(takesCancel(conversation, running, calls), () =>
    showAnswer(conversation, { running, calls, signal }),
  );
}

/** An answer under way. */
interface Answering {
  readonly running: Run;
  readonly calls: CallsUnderWay;
  readonly signal: AbortSignal;
}

async function showAnswer(conversation: Conversation, { running, calls, signal }: Answering): Promise<Outcome> {
  const { session, terminal, screen } = conversation;
  const show =
    terminal.resultLook === undefined ? (event: RunEvent) => terminal.write(screen.event(event)) : apart(conversation);
  let wasDenied = false;
  let isUnanswered = !session.interactive;
  for await (const event of running.events()) {
    session.stats.add(event);
    calls.add(event);
    show(event);
    const advice = event.type === 'error' ? storageAdvice(session.workspace, event.error.code) : undefined;
    if (advice !== undefined) terminal.write(screen.note(advice));
    const inner = innermost(event);
    if (
      isQuestion(inner) &&
      (await askPerson(conversation, running, { event: inner, signal, seq: event.seq })) === 'nobody'
    )
      isUnanswered = true;
    if (inner.type === 'tool-end' && inner.result.code === 'tool_denied') wasDenied = true;
  }
  if (wasDenied && isUnanswered && !session.yes) terminal.write(screen.problem(nobodyText));
  return { status: (await running.result).status, wasDenied };
}

const nobodyText =
  'Declined, because nobody is here to ask. Allow changes with --yes, or run this in a terminal to be asked.';

/**
 * Shows events if only the answer goes to the standard output: text is held back until it is known to be the answer,
 * the text of the last turn. Text before calls goes to the standard error, as calls do; text of a failed turn is dropped.
 */
function apart({ terminal, screen, results }: Conversation): (event: RunEvent) => void {
  let held: Extract<RunEvent, { type: 'text-delta' }> | undefined;
  return (event) => {
    if (event.type === 'text-delta') {
      held = { ...event, text: (held?.text ?? '') + event.text };
      return;
    }
    if (held !== undefined && event.type === 'run-end') terminal.writeResult(results.answer(held.text));
    if (held !== undefined && endsComment.has(event.type)) terminal.write(screen.event(held));
    if (event.type === 'run-end' || event.type === 'step-retry' || endsComment.has(event.type)) held = undefined;
    terminal.write(screen.event(event));
  };
}

/** After these events, the text so far is not the answer. */
const endsComment: ReadonlySet<RunEvent['type']> = new Set([
  'step-start',
  'approval-request',
  'input-request',
  'recovery-request',
  'tool-start',
  'tool-end',
  'sub-run',
]);
