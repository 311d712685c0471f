import { outermost, subCallMark } from '../model/sub-call.ts';
import type { CallEntry, InnerResultEntry, StoredEntry } from './entry.ts';

/** Log of the inner calls of one `replayable` call. */
export interface InnerLog {
  /** In the order in which the tool received them. */
  readonly results: readonly InnerResultEntry[];
  /** Ids of inner runs that may have changed something. */
  readonly runs: ReadonlySet<string>;
  /** True if something may have taken effect whose result is unknown. */
  readonly isOpen: boolean;
}

/** Entries of one call so far. */
interface Draft {
  readonly results: InnerResultEntry[];
  readonly runs: Set<string>;
  /** Ids of calls that have begun and have no result. */
  readonly begun: Set<string>;
}

/**
 * Logs of inner calls by the id of the outer call, until it has a result. A later turn may reuse the id for another
 * call.
 */
export function innerLogsIn(entries: readonly StoredEntry[]): ReadonlyMap<string, InnerLog> {
  const drafts = new Map<string, Draft>();
  for (const { entry } of entries) {
    if (entry.type === 'message')
      for (const part of entry.message.parts) if ('callId' in part) drafts.delete(part.callId);
    if (entry.type === 'call-begun') begin(drafts, entry);
    if (entry.type === 'inner-result') end(drafts, entry);
    if (entry.type === 'inner-run') draftOf(drafts, entry.parentCallId).runs.add(entry.innerRunId);
  }
  return new Map(
    [...drafts].map(([callId, { begun, ...log }]) => [callId, { ...log, isOpen: begun.size > 0 }] as const),
  );
}

function begin(drafts: Map<string, Draft>, { callId, replay }: CallEntry): void {
  if (replay === 'afresh') drafts.delete(callId);
  if (replay !== undefined) draftOf(drafts, callId);
  if (replay === 'never' || callId.includes(subCallMark)) draftOf(drafts, outermost(callId)).begun.add(callId);
}

function end(drafts: Map<string, Draft>, entry: InnerResultEntry): void {
  const { results, begun } = draftOf(drafts, entry.parentCallId);
  results.push(entry);
  begun.delete(entry.result.callId);
}

function draftOf(drafts: Map<string, Draft>, callId: string): Draft {
  const draft = drafts.get(callId) ?? { results: [], runs: new Set(), begun: new Set() };
  drafts.set(callId, draft);
  return draft;
}
