import type { Environment } from '../base/environment.ts';
import { arrangeHistory, followingResults, interruptedText, openCalls } from '../model/history.ts';
import { callsOf } from '../model/message.ts';
import type { Message } from '../model/message.ts';
import { addUsage } from '../model/add-usage.ts';
import { noUsage } from '../model/usage.ts';
import type { Usage } from '../model/usage.ts';
import type { CallEntry } from '../thread/entry.ts';
import type { RunContext } from './run-context.ts';
import type { ReadThread } from './run-thread.ts';
import { failure } from '../tool/result.ts';
import { notApproved, notRun } from './loop/calls.ts';
import { recordOf } from './calls/call-records.ts';
import { createReplay } from './calls/replay.ts';
import type { CallRecords } from './calls/call-records.ts';
import { toPart } from './calls/call-parts.ts';
import type { CallState, RunState } from './loop/state.ts';

/** Facts about a resumed run. */
type Resumed = Pick<RunContext, 'calls' | 'family' | 'path' | 'runId'>;

/**
 * Records the state of a thread's calls, and reconstructs messages at its end that a loss of power has removed, if
 * entries about calls contain them. An open call of a message that no run has stored may have taken effect elsewhere.
 */
export function noteCalls({ messages, calls, questions, inner }: ReadThread, run: Resumed): readonly Message[] {
  const { calls: records } = run;
  const last = messages[lastTurn(messages)];
  if (last?.runId === undefined)
    for (const { callId } of openCalls(messages)) recordOf(records, callId).wasBegun = 'assumed';
  const asked = last?.createdAt ?? 0; // an earlier approval was for another call with the same id
  for (const entry of calls) {
    const record = recordOf(records, entry.callId);
    const { toolFingerprint: madeFor, fence: begunUnder } = entry;
    if (entry.type === 'call-begun') Object.assign(record, { wasBegun: 'stored', begunUnder, madeFor });
    else if (entry.time >= asked) record.approval = entry;
  }
  for (const [callId, { results, runs, isOpen }] of inner) {
    const record = recordOf(records, callId);
    if (isOpen) Object.assign(record, { isAfresh: true, wasBegun: 'stored' });
    else record.replay = createReplay(results, runs);
  }
  noteQuestions(questions, run);
  const lost = lostTurn(calls, messages);
  for (const message of [...(last === undefined ? [] : [last]), ...lost])
    for (const { callId } of callsOf(message)) recordOf(records, callId).ofRun = message.runId ?? '';
  return lost;
}

/** The outermost run reads the questions of all runs; the results of calls are in their own threads. */
function noteQuestions(questions: ReadThread['questions'], { calls, family, path, runId }: Resumed): void {
  if (path.length === 0) family.asked = questions;
  const isInside = path.length > 0;
  for (const each of family.asked ?? []) {
    const { question, isUsedUp = false } = each;
    if (isInside ? question.runId !== runId : question.path !== undefined) continue;
    const record = recordOf(calls, question.callId);
    record.madeFor ??= question.toolFingerprint;
    record[isUsedUp || (isInside && record.wasBegun !== undefined) ? 'askedBefore' : 'asked'] = each;
  }
}

/** Calls that had begun and are in no message: their turn is lost. */
function lostTurn(entries: readonly CallEntry[], messages: readonly Message[]): readonly Message[] {
  const known = new Set(messages.flatMap((message) => callsOf(message).map(({ callId }) => callId)));
  const lost = entries.filter(
    ({ type, callId, call }) => type === 'call-begun' && call !== undefined && !known.has(callId),
  );
  const [first] = lost;
  if (first === undefined) return [];
  const { runId, time } = first;
  const parts = lost.flatMap(({ call }) => call ?? []);
  return [{ id: `${first.callId}/lost`, role: 'assistant', parts, createdAt: time, runId, incomplete: true }];
}

function lastTurn(messages: readonly Message[]): number {
  return messages.findLastIndex(({ role }) => role === 'assistant');
}

/**
 * Results for calls that the user abandoned by writing something else: they become history, and are not asked about
 * again.
 */
export function settleOpenCalls(
  messages: readonly Message[],
  records: CallRecords,
  { id, now }: Environment,
): readonly Message[] {
  return openCalls(messages).map((call) => {
    const result = records.get(call.callId)?.wasBegun
      ? failure('tool_interrupted', interruptedText)
      : notRun(call, notApproved);
    const part = toPart(call, result, {});
    return { id: id(), role: 'tool', parts: [part], createdAt: now() };
  });
}

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
    const state = { call, effects: 'read' } as const;
    return result === undefined
      ? { ...state, phase: 'preparing' }
      : { ...state, phase: 'done', message: result, isStored: true };
  });
  const isWhole = message.incomplete === undefined && calls.every(({ call }) => call.title !== undefined);
  const turn = { message, calls, isOpen: false, stored: isWhole ? calls.length : 0 };
  return { ...spent, messages: arrangeHistory(messages.slice(0, index)), turn };
}

function spentSince(messages: readonly Message[], from: number): Pick<RunState, 'steps' | 'usage'> {
  const turns = messages.slice(from).filter(({ role }) => role === 'assistant');
  const usage = turns.reduce((sum: Usage, turn) => addUsage(sum, turn.usage ?? noUsage), noUsage);
  return { steps: turns.length, usage };
}
