import type { Environment } from '../../base/environment.ts';
import { withoutRepeats } from '../../model/arrangement.ts';
import { lastTurn, openCalls } from '../../model/history.ts';
import { callsOf, withParts } from '../../model/message.ts';
import type { Message, Part, ToolCallPart } from '../../model/message.ts';
import { outermost, subCallMark, uniqueCallId } from '../../model/sub-call.ts';
import type { CallEntry } from '../../thread/entry.ts';
import { interrupted, notApproved, notRun } from '../loop/calls.ts';
import type { RunContext } from '../run-context.ts';
import type { ReadThread } from '../run-thread.ts';
import { toPart } from './call-parts.ts';
import { recordOf } from './call-records.ts';
import type { CallRecords } from './call-records.ts';
import { createReplay } from './replay.ts';

/** The run that resumes. */
type Resumed = Pick<RunContext, 'calls' | 'family' | 'path' | 'runId'>;

/** Messages of a thread that a run takes up. */
export interface Recovered {
  readonly messages: readonly Message[];
  /** Messages that the thread does not have in this form. */
  readonly unstored: readonly Message[];
}

/**
 * Records the state of a thread's calls, and repairs its last turn: drops calls that repeat an id, renames open calls
 * with unusable ids, and reconstructs a turn that a loss of power has removed.
 */
export function recover(read: ReadThread, run: Resumed): Recovered {
  const messages = withUsableCalls(read.messages, run.calls);
  const revised = messages.filter((message, index) => message !== read.messages[index]);
  const lost = noteCalls(read, messages, run);
  return { messages: [...messages, ...lost], unstored: [...revised, ...lost] };
}

/**
 * Drops repeated calls of the last turn, and renames open calls whose id is empty or looks like an inner call's. Only
 * other programs store such calls.
 */
function withUsableCalls(messages: readonly Message[], records: CallRecords): readonly Message[] {
  const index = lastTurn(messages);
  const turn = messages[index];
  if (turn === undefined) return messages;
  const distinct = withoutRepeats(turn);
  const renamed = renamedCalls(messages.with(index, distinct), records);
  const parts = distinct.parts.map((part) => renamed.get(part) ?? part);
  return messages.with(index, renamed.size === 0 ? distinct : withParts(distinct, parts));
}

/**
 * Maps open calls whose id is empty or like that of an inner call to the same calls with new ids. They may have taken
 * effect: what the thread has about them is under their former ids.
 */
function renamedCalls(messages: readonly Message[], records: CallRecords): ReadonlyMap<Part, ToolCallPart> {
  const unusable = openCalls(messages).filter(({ callId }) => callId === '' || callId.includes(subCallMark));
  const taken = new Set([...idsIn(messages), ...records.keys()]);
  return new Map(
    unusable.map((call) => {
      const callId = uniqueCallId(call.callId, taken);
      taken.add(callId);
      recordOf(records, callId).wasBegun = 'assumed';
      return [call, { ...call, callId }];
    }),
  );
}

/** Ids of calls that have a part here: the call itself, or a result. */
function idsIn(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(messages.flatMap(({ parts }) => parts.flatMap((part) => ('callId' in part ? part.callId : []))));
}

/**
 * Returns the lost messages. An open call of a message that no run has stored may have taken effect elsewhere, and so may
 * one whose beginning may be lost.
 */
function noteCalls(read: ReadThread, messages: readonly Message[], run: Resumed): readonly Message[] {
  const { calls, questions, inner } = read;
  const { calls: records } = run;
  const last = messages[lastTurn(messages)];
  const asked = last?.createdAt ?? 0; // an earlier approval was for another call with the same id
  const ids = idsIn(messages);
  // The id in an entry may be damaged, too.
  const mayLackBeginnings =
    read.mayLackBeginnings === true || calls.some(({ callId, time }) => time >= asked && !ids.has(outermost(callId)));
  if (last?.runId === undefined || mayLackBeginnings)
    for (const { callId } of openCalls(messages)) recordOf(records, callId).wasBegun = 'assumed';
  for (const entry of calls) {
    const record = recordOf(records, entry.callId);
    const { toolFingerprint: madeFor, fence: begunUnder } = entry;
    if (entry.type === 'call-begun') Object.assign(record, { wasBegun: 'stored', begunUnder, madeFor });
    else if (entry.time >= asked) record.approval = entry;
  }
  for (const [callId, { results, runs, isOpen }] of inner) {
    const record = recordOf(records, callId);
    if (isOpen || mayLackBeginnings) Object.assign(record, { isAfresh: true, wasBegun: 'stored' });
    else record.replay = createReplay(results, runs);
  }
  noteQuestions(questions, run);
  const lost = lostTurn(calls, read.messages, last?.createdAt); // which have the ids that the entries have
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

/** Calls that had begun since the last turn, and are in no message: their turn is lost. */
function lostTurn(entries: readonly CallEntry[], messages: readonly Message[], since = 0): readonly Message[] {
  const known = idsIn(messages);
  const lost = entries.filter(
    ({ type, callId, call, time }) =>
      type === 'call-begun' && call !== undefined && time >= since && !known.has(callId),
  );
  const [first] = lost;
  if (first === undefined) return [];
  const { runId, time } = first;
  const parts = lost.flatMap(({ call }) => call ?? []);
  const id = `${first.callId}/lost`;
  const turn: Message = { id, role: 'assistant', parts, createdAt: time, runId, incomplete: true };
  return [withoutRepeats(turn)]; // a retried call has an entry for each attempt
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
    const result = records.get(call.callId)?.wasBegun ? interrupted : notRun(call, notApproved);
    const part = toPart(call, result, {});
    return { id: id(), role: 'tool', parts: [part], createdAt: now() };
  });
}
