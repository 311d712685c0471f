import type { Run, RunEvent, RunStatus } from '@utensil/core';
import { previewOf } from './preview.ts';
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

/** Sends a text, and shows what happens until it is answered. */
export async function converse(conversation: Conversation, text: string, signal: AbortSignal): Promise<Outcome> {
  const { session, terminal, screen } = conversation;
  const running = session.send(text, signal);
  let wasDenied = false;
  for await (const event of running.events()) {
    terminal.write(screen.event(event));
    const advice = event.type === 'error' ? storageAdvice(session.workspace, event.error.code) : undefined;
    if (advice !== undefined) terminal.write(screen.note(advice));
    if (event.type === 'approval-request') await askPermission(conversation, { running, event, signal });
    if (event.type === 'tool-end' && event.result.code === 'tool_denied') wasDenied = true;
  }
  return { status: (await running.result).status, wasDenied };
}

interface Question {
  readonly running: Run;
  readonly event: Extract<RunEvent, { type: 'approval-request' }>;
  readonly signal: AbortSignal;
}

async function askPermission({ session, terminal, screen }: Conversation, question: Question): Promise<void> {
  const { running, event, signal } = question;
  const { callId, input } = event;
  terminal.write(screen.change(callId, await previewOf(input, session.workspace.files)));
  const answer = await terminal.ask('  Allow this? y/n ', signal);
  if (signal.aborted) return;
  running.answer(callId, /^\s*y(?:es)?\s*$/i.test(answer ?? '') ? 'once' : 'deny');
}
