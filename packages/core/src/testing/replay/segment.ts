import { callsOf } from '../../model/message.ts';
import type { Message } from '../../model/message.ts';
import type { RunEntry, StoredEntry } from '../../thread/entry.ts';
import { messagesIn } from '../../thread/messages.ts';

/** Entries that one process stored for a run, from taking the thread to leaving it or being killed. */
export interface Segment {
  readonly runId: string;
  /** The log as the process found it. */
  readonly before: readonly StoredEntry[];
  /** The turn that an earlier process had begun to stream. */
  readonly draft: Message | undefined;
  /** Entries stored by it, and by others meanwhile. */
  readonly own: readonly StoredEntry[];
  /** Messages with which it began a run; undefined if it continued one. */
  readonly given: readonly Message[] | undefined;
  /** End of its branch; undefined if the thread has no branches. */
  readonly tip: string | null | undefined;
  /** Entry with which the process left the run; undefined if it was killed, or is still active. */
  readonly end: RunEntry | undefined;
}

/** The segments of a thread, in order. */
export function segmentsOf(entries: readonly StoredEntry[]): readonly Segment[] {
  const starts = startsIn(entries);
  return starts.map(({ index, runId }, number) =>
    segmentOf(runId, {
      before: entries.slice(0, index),
      rest: entries.slice(index, starts[number + 1]?.index),
    }),
  );
}

interface Start {
  readonly index: number;
  readonly runId: string;
}

/** Threads of version 0.1 do not record the beginning of a run: it is at the run's first message. */
function startsIn(entries: readonly StoredEntry[]): readonly Start[] {
  const told = new Set(entries.flatMap(({ entry }) => (entry.type === 'run-begun' ? entry.runId : [])));
  const starts: Start[] = [];
  for (const [index, { entry }] of entries.entries()) {
    if (entry.type === 'run-begun') starts.push({ index, runId: entry.runId });
    const runId = entry.type === 'message' ? entry.message.runId : undefined;
    if (runId !== undefined && !told.has(runId)) starts.push({ index, runId });
    if (runId !== undefined) told.add(runId);
  }
  return starts;
}

interface Parts {
  readonly before: readonly StoredEntry[];
  /** Up to the point where the next process took the thread. */
  readonly rest: readonly StoredEntry[];
}

function segmentOf(runId: string, { before, rest }: Parts): Segment {
  const last = rest.findIndex(({ entry }) => isEnd(entry) && entry.runId === runId);
  const stored = last === -1 ? rest : rest.slice(0, last + 1);
  const end = rest[last]?.entry;
  const known = new Set(messagesIn({ entries: before }).map(({ id }) => id));
  const isKnownRun = before.some(({ entry }) => runOf(entry) === runId);
  const draft = draftIn(stored, { runId, known, isKnownRun });
  const own = draft === undefined ? stored : stored.filter(({ entry }) => messageIn(entry) !== draft);
  const given = isKnownRun ? [] : givenIn(own, { runId, known });
  const isCut = given.length === 0 && !isKnownRun && end === undefined && !own.some(({ entry }) => isTurn(entry));
  return {
    runId,
    before,
    draft,
    own,
    given: given.length > 0 ? given : isCut && hasSettled(own) ? [lostMessage] : undefined,
    tip: tipOf(own, known),
    end: end !== undefined && isEnd(end) ? end : undefined,
  };
}

function isEnd(entry: StoredEntry['entry']): entry is RunEntry {
  return entry.type === 'run-ended' || entry.type === 'run-parked';
}

/** True if a message is the result of a background call, which nobody wrote. */
export function isLate({ parts }: Message): boolean {
  return parts.some(({ type }) => type === 'late-result');
}

/** The message of an entry. */
export function messageIn(entry: StoredEntry['entry']): Message | undefined {
  return entry.type === 'message' || entry.type === 'revision' ? entry.message : undefined;
}

function runOf(entry: StoredEntry['entry']): string | undefined {
  return messageIn(entry)?.runId ?? ('runId' in entry ? entry.runId : undefined);
}

interface Known {
  readonly runId: string;
  /** Ids of earlier messages. */
  readonly known: ReadonlySet<string>;
}

/** A draft becomes a message before the first one that comes instead. */
function draftIn(
  own: readonly StoredEntry[],
  { runId, known, isKnownRun }: Known & { readonly isKnownRun: boolean },
): Message | undefined {
  const messages = own.flatMap(({ entry }) => messageIn(entry) ?? []);
  const [first, second] = messages;
  if (first === undefined || known.has(first.id) || first.role !== 'assistant' || first.incomplete === undefined)
    return undefined;
  if (messages.some(({ id, incomplete }) => id === first.id && incomplete === undefined)) return undefined;
  if (first.runId !== runId) return first;
  const hasResults = callsOf(first).length > 0 && messages.some(({ role }) => role === 'tool');
  return isKnownRun && (hasResults || (second !== undefined && second.id !== first.id)) ? first : undefined;
}

/** True for turns of the model: messages of a caller have no origin. */
function isTurn(entry: StoredEntry['entry']): boolean {
  const message = messageIn(entry);
  return message?.role === 'assistant' && message.origin !== undefined;
}

function givenIn(own: readonly StoredEntry[], { runId, known }: Known): readonly Message[] {
  const turn = own.findIndex(({ entry }) => isTurn(entry) && messageIn(entry)?.runId === runId);
  const messages = own.slice(0, turn === -1 ? undefined : turn).flatMap(({ entry }) => messageIn(entry) ?? []);
  return messages
    .filter((message) => !known.has(message.id) && !isLate(message))
    .filter(({ role, runId: by }) => role !== 'tool' || by === runId)
    .map(({ parentId: _, ...message }) => message);
}

/** Calls that the user left open are answered before the new message is stored. */
function hasSettled(own: readonly StoredEntry[]): boolean {
  return own.some(({ entry }) => messageIn(entry)?.role === 'tool');
}

const lostMessage: Message = { id: 'lost', role: 'user', parts: [{ type: 'text', text: '…' }], createdAt: 0 };

function tipOf(own: readonly StoredEntry[], known: ReadonlySet<string>): Segment['tip'] {
  const first = own.map(({ entry }) => messageIn(entry)).find((message) => message !== undefined);
  if (first?.parentId === undefined) return undefined;
  return known.has(first.id) ? first.id : first.parentId;
}
