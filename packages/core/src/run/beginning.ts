import type { Environment } from '../base/environment.ts';
import { arrangeHistory, isUnfinished } from '../model/history.ts';
import { userMessage } from '../model/message.ts';
import type { Message } from '../model/message.ts';
import { bounded } from './bounded.ts';
import type { HandlerSetup } from './handler-setup.ts';
import type { RunHandler } from './handler.ts';
import { initialState } from './loop/state.ts';
import type { RunState } from './loop/state.ts';
import type { RunOptions } from './run.ts';
import { taintBy, taintByGiven, taintByHistory } from './taint.ts';

/** State that a run begins with. */
export interface Beginning {
  readonly state: RunState;
  /** How many of its messages were there before. */
  readonly historyLength: number;
}

/** A run that is about to begin. */
export interface Unbegun {
  readonly setup: HandlerSetup;
  readonly handler: Pick<RunHandler, 'append'>;
  /** Messages of the caller. Absent: the run goes on where the thread was left. */
  readonly added: readonly Message[] | undefined;
  readonly begun: Pick<RunState, 'limits' | 'toolChoice'> & Partial<RunState>;
}

/** Reads the thread, stores the answers to calls that were left open and the new messages, and gives the first state. */
export async function beginRun(unbegun: Unbegun): Promise<Beginning> {
  const { thread, taint, toolset, signal } = unbegun.setup;
  const stored = thread === undefined ? [] : await bounded(thread.messages(), signal);
  signal.throwIfAborted();
  for (const name of toolset.foreign) taintBy(taint, name);
  taintByHistory(taint, stored);
  taintByGiven(taint, unbegun.added ?? []);
  return firstState(stored, unbegun);
}

async function firstState(stored: readonly Message[], { setup, handler, added, begun }: Unbegun): Promise<Beginning> {
  const { thread, records, environment, signal } = setup;
  const append = async (messages: readonly Message[]): Promise<void> => {
    for (const message of messages) await handler.append({ type: 'append', message });
  };
  const open = added === undefined || isUnfinished(stored) ? await import('./resume.ts') : undefined;
  const lost =
    open === undefined || thread === undefined ? [] : await bounded(open.readJournal(thread, records, stored), signal);
  await append(lost);
  if (open !== undefined && added === undefined) {
    const state = initialState({ ...begun, ...open.resumed([...stored, ...lost]) });
    return { state, historyLength: state.messages.length };
  }
  const settled = open?.settleOpenCalls([...stored, ...lost], records, environment) ?? [];
  const history = arrangeHistory([...stored, ...lost, ...settled]);
  await append([...settled, ...(added ?? [])]);
  return {
    state: initialState({ ...begun, messages: arrangeHistory([...history, ...(added ?? [])]) }),
    historyLength: history.length,
  };
}

/** Messages of a caller, with ids and times. */
export function newMessages(
  messages: RunOptions['messages'],
  { id, now }: Environment,
  runId: string,
): readonly Message[] {
  const given = typeof messages === 'string' ? [userMessage(messages)] : messages;
  return given.map((message) => ({ id: id(), createdAt: now(), runId, ...message }));
}
