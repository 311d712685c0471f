import type { Environment } from '../base/environment.ts';
import { arrangeHistory } from '../model/arrangement.ts';
import { isFollowed, isUnfinished } from '../model/history.ts';
import { userMessage } from '../model/message.ts';
import type { Message } from '../model/message.ts';
import { openReceipts } from '../thread/detached-calls.ts';
import type { OpenReceipt } from '../thread/detached-calls.ts';
import { bounded } from './bounded.ts';
import type { RunContext } from './run-context.ts';
import type { RunHandler } from './handler.ts';
import { recordOf } from './calls/call-records.ts';
import { detachedFrom } from './loop/pending.ts';
import { loadBackground, loadResume } from './later-code.ts';
import { initialState } from './loop/state.ts';
import type { RunState } from './loop/state.ts';
import type { ReadThread } from './run-thread.ts';
import type { RunOptions } from './run.ts';
import { taintBy, taintByGiven, taintByHistory } from './taint.ts';

/** Initial state of a run. */
export interface FirstState {
  readonly state: RunState;
  /** Background calls. */
  readonly open: Iterable<OpenReceipt>;
  /** Number of earlier messages. */
  readonly historyLength: number;
}

/** Inputs of the first state. */
export interface FirstStateOptions {
  readonly run: RunContext;
  readonly handler: Pick<RunHandler, 'append'>;
  /** Called once the run has claimed its thread. */
  opened(fence: number | undefined): void;
  /** Messages of the caller. Absent: the run continues the thread. */
  readonly added: readonly Message[] | undefined;
  readonly settings: Pick<RunState, 'limits' | 'toolChoice'> & Partial<RunState>;
}

/** Reads the thread, stores answers to abandoned calls and the new messages, and returns the initial state. */
export async function firstStateOf(options: FirstStateOptions): Promise<FirstState> {
  const { thread, taint, toolset, calls, signal } = options.run;
  const read: ReadThread =
    thread === undefined
      ? { messages: [], calls: [], questions: [], inner: new Map() }
      : await bounded(thread.open(), signal);
  options.opened(read.fence);
  signal.throwIfAborted();
  for (const callId of read.otherCalls ?? []) calls.set(callId, undefined);
  for (const name of toolset.foreign) taintBy(taint, name);
  taintByHistory(taint, read.messages);
  taintByGiven(taint, options.added ?? []);
  for (const [callId, entry] of read.cancelled ?? []) recordOf(calls, callId).cancelled = entry;
  const { state, historyLength } = await stateOver(read, options);
  const { turn } = state;
  const ofTurn = turn === undefined ? [] : [turn.message, ...turn.calls.flatMap(({ message }) => message ?? [])];
  const open = openReceipts([...state.messages, ...ofTurn]);
  if (open.size > 0) await loadBackground();
  const detached = detachedFrom([...open.keys()]);
  return { state: detached === undefined ? state : { ...state, detached }, historyLength, open: open.values() };
}

async function stateOver(
  read: ReadThread,
  { run, handler, added, settings }: FirstStateOptions,
): Promise<Omit<FirstState, 'open'>> {
  const { messages: stored } = read;
  const { calls, environment } = run;
  const append = async (messages: readonly Message[]): Promise<void> => {
    if (messages.length > 0) await handler.append(messages.map((message) => ({ type: 'append', message }) as const));
  };
  const open = added === undefined || isUnfinished(stored) ? await loadResume() : undefined;
  const { messages, unstored } = open?.recover(read, run) ?? { messages: stored, unstored: [] };
  await append(unstored);
  if (open !== undefined && added === undefined && !isFollowed(messages)) {
    const state = initialState({ ...settings, ...open.resumed(messages) });
    return { state, historyLength: state.messages.length };
  }
  const settled = open?.settleOpenCalls(messages, calls, environment) ?? [];
  const history = arrangeHistory([...messages, ...settled]);
  await append([...settled, ...(added ?? [])]);
  return {
    state: initialState({ ...settings, messages: arrangeHistory([...history, ...(added ?? [])]) }),
    historyLength: history.length,
  };
}

/** Assigns ids and times to messages of a caller. */
export function newMessages(
  messages: RunOptions['messages'],
  { id, now }: Environment,
  runId: string,
): readonly Message[] {
  const given = typeof messages === 'string' ? [userMessage(messages)] : messages;
  return given.map((message) => ({ id: id(), createdAt: now(), runId, ...message }));
}
