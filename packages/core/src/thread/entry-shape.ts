import { UtensilError } from '../base/errors.ts';
import { isObject, toJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { questionKinds } from './question.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { StoredEntry } from './entry.ts';
import { isMessage } from './message-shape.ts';

type LogEntry = StoredEntry['entry'];

/** An entry as it is stored: a message is stored as itself. */
export function toStored(entry: LogEntry): Json {
  return toJson(entry.type === 'message' ? entry.message : entry);
}

/** The entry that a stored value is; undefined if it is none of those that this version knows. */
export function fromStored(value: unknown): LogEntry | undefined {
  if (isMessage(value)) return { type: 'message', message: value };
  return isEntry(value) ? value : undefined;
}

function isEntry(value: unknown): value is Exclude<LogEntry, { readonly type: 'message' }> {
  if (!isObject(value)) return false;
  switch (value['type']) {
    case 'revision':
      return isMessage(value['message']);
    case 'compacted':
      return typeof value['before'] === 'string';
    case 'call-begun':
    case 'call-approved':
      return typeof value['callId'] === 'string';
    case 'question':
      return isQuestion(value);
    case 'answer':
      return typeof value['questionId'] === 'string' && isAnswer(value['answer']);
    case 'run-begun':
    case 'run-parked':
    case 'run-ended':
      return typeof value['runId'] === 'string';
    case 'inner-result':
      return isInnerResult(value);
    case 'inner-run':
      return typeof value['parentCallId'] === 'string' && typeof value['innerRunId'] === 'string';
    default:
      return false;
  }
}

function isInnerResult({ parentCallId, inputHash, result }: Readonly<Record<string, unknown>>): boolean {
  const isLogged = typeof parentCallId === 'string' && typeof inputHash === 'string' && isObject(result);
  return isLogged && typeof result['callId'] === 'string' && typeof result['name'] === 'string';
}

function isQuestion(value: Readonly<Record<string, unknown>>): boolean {
  const texts = ['id', 'kind', 'callId', 'name', 'title', 'effects', 'runId', 'projectId'];
  const isKnown = questionKinds.some((kind) => kind === value['kind']);
  return isKnown && texts.every((name) => typeof value[name] === 'string') && isObject(value['input']);
}

function isAnswer(value: unknown): boolean {
  return typeof value === 'string' || (isObject(value) && (isObject(value['input']) || value['output'] !== undefined));
}

/** Tells of a record of a thread that is no entry, or one of a later version. It is left as it is. */
export function notAnEntry(key: RecordKey): UtensilError {
  const record = `the record '${key.join('/')}' is no entry of a thread, or one of a newer version`;
  return new UtensilError('record_corrupt', `record_corrupt: ${record}. It was left as it is.`);
}
