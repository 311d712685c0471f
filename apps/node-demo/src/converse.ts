import type { Run, RunStatus } from '@utensil/core';
import { askPerson } from './questions.ts';
import type { Screen } from './screen.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';
import { storageAdvice } from './workspace.ts';

/** Who talks to whom. */
export interface Conversation {
  readonly session: Session;
  readonly terminal: Terminal;
  readonly screen: Screen;
}

/** How an answer ended. */
export interface Outcome {
  readonly status: RunStatus;
  readonly wasDenied: boolean;
}

/** Begins an answer. */
export type Begin = (signal: AbortSignal) => Run;

/** Has an answer begin, and shows what happens until it is there. */
export async function converse(conversation: Conversation, begin: Begin, signal: AbortSignal): Promise<Outcome> {
  const { session, terminal, screen } = conversation;
  const running = begin(signal);
  let wasDenied = false;
  for await (const event of running.events()) {
    session.stats.add(event);
    terminal.write(screen.event(event));
    const advice = event.type === 'error' ? storageAdvice(session.workspace, event.error.code) : undefined;
    if (advice !== undefined) terminal.write(screen.note(advice));
    if (event.type === 'approval-request' || event.type === 'recovery-request')
      await askPerson(conversation, running, { event, signal });
    if (event.type === 'tool-end' && event.result.code === 'tool_denied') wasDenied = true;
  }
  return { status: (await running.result).status, wasDenied };
}
