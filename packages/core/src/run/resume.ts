import { arrangeHistory } from '../model/arrangement.ts';
import { followingResults, lastTurn, openCalls } from '../model/history.ts';
import { callsOf } from '../model/message.ts';
import type { Message } from '../model/message.ts';
import { totalUsage } from '../model/add-usage.ts';
import { newCall } from './loop/draft.ts';
import type { CallState, RunState } from './loop/state.ts';

export { whatBecameOf } from './calls/reconcile.ts';
export { recover, settleOpenCalls } from './calls/recovery.ts'; // all are needed together
export { isApproved } from './permission/approval-entry.ts';

/** State of a run that continues the last turn of a thread, with its calls in their former states. */
export function resumed(messages: readonly Message[]): Pick<RunState, 'messages' | 'turn' | 'steps' | 'usage'> {
  const isTask = ({ role, parts }: Message): boolean => role === 'user' && parts[0]?.type !== 'late-result';
  const spent = spentSince(messages, messages.findLastIndex(isTask) + 1);
  const index = lastTurn(messages);
  const message = messages[index];
  if (message === undefined || openCalls(messages).length === 0)
    return { ...spent, messages: arrangeHistory(messages) };
  const results = followingResults(messages, index + 1);
  const calls = callsOf(message).map((call): CallState => {
    const result = results.get(call.callId);
    return result === undefined ? newCall(call) : { ...newCall(call), phase: 'done', message: result, isStored: true };
  });
  const isWhole = message.incomplete === undefined && calls.every(({ call }) => call.title !== undefined);
  const turn = { message, calls, isOpen: false, stored: isWhole ? calls.length : 0 };
  return { ...spent, messages: arrangeHistory(messages.slice(0, index)), turn };
}

function spentSince(messages: readonly Message[], from: number): Pick<RunState, 'steps' | 'usage'> {
  const turns = messages.slice(from).filter(({ role }) => role === 'assistant');
  return { steps: turns.length, usage: totalUsage(turns) };
}
