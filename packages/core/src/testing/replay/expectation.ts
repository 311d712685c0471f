import type { JsonObject } from '../../base/json.ts';
import type { Message } from '../../model/message.ts';
import { subCallMark } from '../../model/sub-call.ts';
import type { StoredEntry, ThreadEntry } from '../../thread/entry.ts';
import { differenceOf } from './difference.ts';
import type { Difference } from './difference.ts';
import { messageIn } from './segment.ts';
import type { Segment } from './segment.ts';
import { knownIn } from './script.ts';

type Entry = StoredEntry['entry'];

/** An entry that a replay is expected to store. */
export interface Expected {
  readonly position: number;
  readonly entry: Entry;
  readonly key: string;
}

/** An entry that a replay did not store, or stored differently. */
export interface Unexpected {
  readonly expected?: Expected;
  readonly got: Entry;
  readonly difference: Difference;
}

/** The stored entries of a segment, and those reproduced by its replay. */
export interface Expectation {
  /**
   * Checks an entry stored by the replay; undefined if it matches. `turn`: the turn that the model was last asked for.
   */
  meet(entry: ThreadEntry, turn: string | undefined): Unexpected | undefined;
  /** Expected entries that are still missing, in order. */
  open(): readonly Expected[];
  /** Stops expecting this entry. */
  drop(expected: Expected): void;
  /** The replay's id for an id of the thread. */
  idOf(stored: string): string | undefined;
  /** The thread's id for an id of the replay. */
  storedId(id: string): string;
}

/** Exceptions from the comparison. */
export interface Exceptions {
  /** Names of fields that may differ. */
  readonly ignored: readonly string[];
  /** Inputs of calls as migrated by today's versions of their tools. */
  readonly migrated: ReadonlyMap<string, JsonObject>;
}

export function createExpectation(segment: Segment, { ignored, migrated }: Exceptions): Expectation {
  const known = knownIn(segment);
  const open = new Set(expectedOf(segment, known));
  const versions = versionsIn([...segment.before, ...segment.own]);
  const stored = new Map<string, string>(); // by the replay's id
  const replayed = new Map<string, string>();

  function note(mine: string, theirs: string): void {
    stored.set(mine, theirs);
    replayed.set(theirs, mine);
  }

  function find(key: string): Expected | undefined {
    for (const each of open) if (each.key === key) return each;
    return undefined;
  }

  function keyFor(entry: Entry, turn: string | undefined): string {
    if (entry.type === 'answer') return `answer ${stored.get(entry.questionId) ?? entry.questionId}`;
    const message = messageIn(entry);
    const isTurn = message?.role === 'assistant' && !known.has(message.id) && !message.id.endsWith('/lost');
    return isTurn ? `assistant ${stored.get(message.id) ?? turn ?? ''}` : keyOf(entry, known);
  }

  /**
   * True if a later version of the message was stored: only the last version is required, earlier ones are optional.
   */
  function isEarlierVersion(message: Message, key: string): boolean {
    const id = key.replace(/^(assistant|known) /, '');
    const all = versions.get(id) ?? [];
    if (all.some((each) => differenceOf(withInputs(each, migrated), message, ignored) === undefined)) return true;
    const last = all.at(-1);
    return message.incomplete === true && last !== undefined && isBeginning(message, last);
  }

  return {
    meet(given, turn) {
      if (given.type === 'draft') return undefined;
      const key = keyFor(given, turn);
      const expected = find(key);
      const message = messageIn(given);
      if (message?.role === 'assistant') {
        const id = key.replace(/^(assistant|known) /, '');
        if (id !== '' && id !== message.id) note(message.id, id);
      }
      if (expected === undefined) {
        if (message !== undefined && isEarlierVersion(message, key)) return undefined;
        return { got: given, difference: { field: '', expected: undefined, got: given } };
      }
      const got = given.type === 'compacted' ? { ...given, before: stored.get(given.before) ?? given.before } : given;
      const difference = differenceOf(bodyOf(expected.entry, migrated), bodyOf(got), ignored);
      if (difference !== undefined) {
        if (message !== undefined && isEarlierVersion(message, key)) return undefined;
        return { expected, got: given, difference };
      }
      open.delete(expected);
      if (given.type === 'question' && expected.entry.type === 'question') note(given.id, expected.entry.id);
      const before = messageIn(expected.entry);
      if (message !== undefined && before !== undefined) note(message.id, before.id);
      return undefined;
    },
    open: () => [...open],
    drop: (expected) => void open.delete(expected),
    idOf: (id) => replayed.get(id),
    storedId: (id) => stored.get(id) ?? id,
  };
}

/** The compared part: a message is the same whether it was stored as new or replaced an earlier version. */
function bodyOf(entry: Entry, migrated: Exceptions['migrated'] = new Map()): unknown {
  const message = messageIn(entry);
  if (message !== undefined) return withInputs(message, migrated);
  const input = entry.type === 'question' ? migrated.get(entry.callId) : undefined;
  return input === undefined ? entry : { ...entry, input };
}

/** A stored message with the migrated inputs of its calls. */
function withInputs(message: Message, migrated: Exceptions['migrated']): Message {
  if (migrated.size === 0) return message;
  const parts = message.parts.map((part) => {
    const input = part.type === 'tool-call' ? migrated.get(part.callId) : undefined;
    return part.type === 'tool-call' && input !== undefined ? { ...part, input } : part;
  });
  return { ...message, parts };
}

function versionsIn(entries: readonly StoredEntry[]): ReadonlyMap<string, readonly Message[]> {
  const versions = new Map<string, Message[]>();
  for (const { entry } of entries) {
    const message = messageIn(entry);
    if (message !== undefined) versions.set(message.id, [...(versions.get(message.id) ?? []), message]);
  }
  return versions;
}

function expectedOf({ own }: Segment, known: ReadonlySet<string>): readonly Expected[] {
  const lastOf = new Map(own.flatMap(({ entry }, index) => (messageIn(entry) ? [[messageIn(entry)?.id, index]] : [])));
  return own.flatMap(({ position, entry }, index) => {
    const message = messageIn(entry);
    if (entry.type === 'call-approved' || (message !== undefined && lastOf.get(message.id) !== index)) return [];
    const isTurn = message?.role === 'assistant' && !known.has(message.id) && !message.id.endsWith('/lost');
    return [{ position, entry, key: isTurn ? `assistant ${message.id}` : keyOf(entry, known) }];
  });
}

/** Identity of an entry's subject, in both logs. */
function keyOf(entry: Entry, known: ReadonlySet<string>): string {
  const message = messageIn(entry);
  if (message !== undefined) {
    if (known.has(message.id) || message.id.endsWith('/lost')) return `known ${message.id}`;
    const result = message.parts.find((part) => part.type === 'tool-result' || part.type === 'late-result');
    return result === undefined ? message.role : `${result.type} ${result.callId}`;
  }
  switch (entry.type) {
    case 'question':
      return `question ${entry.kind} ${(entry.path ?? []).join('/')} ${entry.callId}`;
    case 'answer':
      return `answer ${entry.questionId}`;
    case 'call-begun':
    case 'call-approved':
    case 'cancelled':
      return `${entry.type} ${entry.callId}`;
    case 'inner-result':
      return `${entry.type} ${entry.result.callId}`;
    case 'inner-run':
      return `${entry.type} ${entry.innerRunId}`;
    default:
      return entry.type;
  }
}

/** True if a turn that is still being streamed may become this one. */
function isBeginning({ parts }: Message, whole: Message): boolean {
  return parts.every((part, index) => {
    const later = whole.parts[index];
    if (part.type === 'tool-call') return later?.type === 'tool-call' && later.callId === part.callId;
    if ('text' in part) return later !== undefined && 'text' in later && later.text.startsWith(part.text);
    return later?.type === part.type;
  });
}

/** If an entry belongs to an inner call or run, the id of the model's call. */
export function insideOf(entry: Entry, questions: ReadonlyMap<string, Entry>): string | undefined {
  switch (entry.type) {
    case 'answer': {
      const question = questions.get(entry.questionId);
      return question && insideOf(question, questions);
    }
    case 'question':
      return entry.path?.[0] ?? entry.parentCallId?.split(subCallMark)[0];
    case 'inner-result':
    case 'inner-run':
      return entry.parentCallId.split(subCallMark)[0];
    case 'call-begun':
      return entry.callId.includes(subCallMark) ? entry.callId.split(subCallMark)[0] : undefined;
    default:
      return undefined;
  }
}
