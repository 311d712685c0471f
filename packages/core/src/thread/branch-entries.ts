import { callsOf } from '../model/message.ts';
import type { Message } from '../model/message.ts';
import { outermost } from '../model/sub-call.ts';
import type { StoredEntry } from './entry.ts';
import { callOf } from './question-place.ts';

type Entry = StoredEntry['entry'];

/** Selection of a branch's entries. */
export interface BranchEntries {
  readonly entries: readonly StoredEntry[];
  /** Ids of calls that occur in other branches only. */
  readonly otherCalls: ReadonlySet<string>;
}

/**
 * The entries of a branch with these messages. Includes compactions before one of them, also by other branches, and
 * entries about calls that no message has, because their turn may be lost.
 */
export function entriesOn(
  own: ReadonlyMap<string, Message>,
  entries: readonly StoredEntry[],
  all: readonly Message[],
): BranchEntries {
  const otherCalls = callsElsewhere(own, all);
  const otherQuestions = new Set<string>();

  function isOn(entry: Entry): boolean {
    if (entry.type === 'message' || entry.type === 'revision') return own.has(entry.message.id);
    if (entry.type === 'compacted') return own.has(entry.before);
    if (entry.type === 'answer') return !otherQuestions.has(entry.questionId);
    const callId = callIn(entry);
    const isOther = callId !== undefined && otherCalls.has(callId);
    if (isOther && entry.type === 'question') otherQuestions.add(entry.id);
    return !isOther;
  }

  return { entries: entries.filter(({ entry }) => isOn(entry)), otherCalls };
}

/** Excludes calls that both have: one question too many is better than a second execution. */
function callsElsewhere(own: ReadonlyMap<string, Message>, all: readonly Message[]): ReadonlySet<string> {
  const idsIn = (messages: readonly Message[]): string[] =>
    messages.flatMap((message) => callsOf(message).map(({ callId }) => callId));
  const elsewhere = new Set(idsIn(all.filter(({ id }) => !own.has(id))));
  if (elsewhere.size > 0) for (const callId of idsIn([...own.values()])) elsewhere.delete(callId);
  return elsewhere;
}

/** The model's call that an entry is about. */
function callIn(entry: Exclude<Entry, { readonly type: 'message' }>): string | undefined {
  if (entry.type === 'question') return callOf(entry);
  if (entry.type === 'inner-result' || entry.type === 'inner-run') return outermost(entry.parentCallId);
  return 'callId' in entry ? outermost(entry.callId) : undefined;
}
