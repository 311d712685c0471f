import type { UtensilError } from '../base/errors.ts';
import { isObject, ownMember, toJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import {
  hasShape,
  isNumber,
  isNumberOrAbsent,
  isText,
  isTextOrAbsent,
  isTextsOrAbsent,
  orAbsent,
} from '../base/shape.ts';
import type { Shape } from '../base/shape.ts';
import { isAnswer, questionKinds } from './question.ts';
import type { RecordKey } from '../files/record-key.ts';
import { corruptRecord } from '../records/content.ts';
import { isBatch } from '../records/entry-batch.ts';
import type { EntryBatch } from '../records/entry-batch.ts';
import type { StoredEntry } from './entry.ts';
import { isMessage, isPart } from './message-shape.ts';

type LogEntry = StoredEntry['entry'];

/** An entry in its stored form: a message is stored as itself. */
export function toStored(entry: LogEntry): Json {
  return toJson(entry.type === 'message' ? entry.message : entry);
}

/** Parses a stored value; undefined if it is not an entry known to this version. */
export function fromStored(value: unknown): LogEntry | undefined {
  try {
    if (isMessage(value)) return { type: 'message', message: value };
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined; // nested too deeply for the stack
  }
}

/** Maximum number of entries in a record: a turn and some results. An append looks for as many records of others. */
export const mostTogether = 4;

/** Entries of one record. One is stored as itself. */
export function toRecord(entries: readonly LogEntry[]): Json {
  const stored = entries.map(toStored);
  return stored.length === 1 ? (stored[0] as Json) : ({ type: 'entries', entries: stored } satisfies EntryBatch);
}

/**
 * The entries of a record, one at least; undefined for each that is not known to this version. A message may have other
 * members, with any names.
 */
export function fromRecord(value: unknown): readonly (LogEntry | undefined)[] {
  return isBatch(value) && !isMessage(value) ? value.entries.map(fromStored) : [fromStored(value)];
}

const run = { runId: isText };
const call = {
  callId: isText,
  call: /* @__PURE__ */ orAbsent((part) => isPart(part, 'tool-call')),
  seal: isTextOrAbsent,
  toolFingerprint: isTextOrAbsent,
};

/** Required members of each kind of entry. */
const shapes: { readonly [Type in Exclude<LogEntry['type'], 'message'>]: Shape } = {
  revision: { message: isMessage },
  compacted: { before: isText, summary: isTextOrAbsent },
  'call-begun': call,
  'call-approved': call,
  question: {
    id: isText,
    kind: (kind) => questionKinds.some((known) => known === kind),
    callId: isText,
    name: isText,
    input: isObject,
    title: isText,
    effects: isText,
    runId: isText,
    projectId: isText,
    time: isNumber,
    taintedBy: isTextsOrAbsent,
    parentCallId: isTextOrAbsent,
    path: isTextsOrAbsent,
    toolFingerprint: isTextOrAbsent,
    answers: isTextsOrAbsent,
    answerers: isTextsOrAbsent,
    expiresAt: isNumberOrAbsent,
    seal: isTextOrAbsent,
  },
  answer: { questionId: isText, answer: isAnswer, by: isTextOrAbsent, seal: isTextOrAbsent, time: isNumber },
  cancelled: { callId: isText, reason: isTextOrAbsent, by: isTextOrAbsent, time: isNumber },
  'run-begun': run,
  'run-parked': run,
  'run-ended': run,
  'inner-result': {
    parentCallId: isText,
    inputHash: isText,
    result: (result) => isPart(result, 'tool-result'),
    ends: /* @__PURE__ */ orAbsent(isObject),
  },
  'inner-run': { parentCallId: isText, innerRunId: isText },
};

function isEntry(value: unknown): value is Exclude<LogEntry, { readonly type: 'message' }> {
  if (!isObject(value) || typeof value['type'] !== 'string') return false;
  const shape = ownMember<Shape>(shapes, value['type']);
  return shape !== undefined && hasShape(value, shape);
}

/** Warns about a record that is not an entry, or is of a later version. It is left unchanged. */
export function notAnEntry(key: RecordKey): UtensilError {
  return corrupt(key, 'is not an entry of a thread, or has a newer version');
}

/** Warns about a record with more entries than there are places behind the record before it. It is left unchanged. */
export function overlapping(key: RecordKey): UtensilError {
  return corrupt(key, 'has entries whose places are taken by an earlier one: those are not shown');
}

/** Warns that entries before a record are missing. */
export function afterGap(key: RecordKey): UtensilError {
  return corrupt(key, 'follows a gap: entries before it are missing');
}

function corrupt(key: RecordKey, why: string): UtensilError {
  return corruptRecord(key, `${why}. It was left unchanged.`);
}
