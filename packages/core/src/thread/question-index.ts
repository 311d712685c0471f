import { toJson } from '../base/json.ts';
import { hasShape, isNumber, isText } from '../base/shape.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { Message } from '../model/message.ts';
import type { RecordChange } from '../records/commit.ts';
import type { QuestionEntry, StoredEntry } from './entry.ts';
import type { Question } from './question.ts';
import { callOf, keyOf } from './question-place.ts';

/** An open question in the list over all threads. Contains no details for a decision: those are in its thread. */
export interface WaitingQuestion extends Omit<Question, 'input' | 'preview' | 'taintedBy'> {
  readonly threadId: string;
}

type Open = Omit<WaitingQuestion, 'threadId'>;

/** Open questions of a thread, as far as its log is known. */
export interface Waiting {
  /** By id, oldest first. */
  readonly open: ReadonlyMap<string, Open>;
  /** The model's last turn, unless the user has written since. */
  readonly turn?: { readonly id: string; readonly calls: ReadonlySet<string>; readonly ended: Ended | undefined };
}

/** State of a thread without questions. */
export const nothingWaits: Waiting = { open: new Map() };

/** Ids of calls with a result, the last message first: a turn may have thousands, most of which are never looked up. */
interface Ended {
  readonly callIds: readonly string[];
  readonly before: Ended | undefined;
}

/** Maximum number of questions per thread in the index; the oldest are kept. */
const mostListed = 20;

/** Key of the index, which has a record for each thread with open questions. */
export const indexPrefix: RecordKey = ['questions'];

/** Key of a thread's record. */
export const indexKey = (thread: RecordKey): RecordKey => [...indexPrefix, ...thread.slice(1)];

/** Open questions after one more entry of the log; `open` stays the same map if nothing changes. */
export function waitingAfter(waiting: Waiting, entry: StoredEntry['entry']): Waiting {
  const { open, turn } = waiting;
  switch (entry.type) {
    case 'question': {
      const callId = callOf(entry);
      if (turn?.calls.has(callId) !== true || hasEnded(turn.ended, callId)) return waiting;
      return {
        ...waiting,
        open: new Map([...without(open, (each) => isReplaced(each, entry)), [entry.id, toListed(entry)]]),
      };
    }
    case 'answer':
      return { ...waiting, open: without(open, ({ id }) => id === entry.questionId) };
    case 'call-begun':
      if (entry.replay === 'logged') return waiting;
      return { ...waiting, open: without(open, (each) => keyOf(each) === keyOf(entry)) };
    case 'message':
      return afterMessage(waiting, entry.message);
    case 'revision':
      return entry.message.id === turn?.id ? afterMessage(waiting, entry.message) : waiting;
    default:
      return waiting;
  }
}

/** A result closes the questions about its call; a user message or a new turn closes all. */
function afterMessage({ open, turn }: Waiting, { role, id, parts }: Message): Waiting {
  const none = without(open, () => true);
  if (role === 'user') return { open: none };
  if (role === 'assistant') {
    const calls = new Set(parts.flatMap((part) => (part.type === 'tool-call' ? part.callId : [])));
    const isSame = turn?.id === id;
    return { open: isSame ? open : none, turn: { id, calls, ended: isSame ? turn.ended : undefined } };
  }
  if (turn === undefined) return { open };
  const callIds = parts.flatMap((part) => (part.type === 'tool-result' ? part.callId : []));
  const isOver = (each: Open): boolean => callIds.includes(callOf(each));
  return { open: without(open, isOver), turn: { ...turn, ended: { callIds, before: turn.ended } } };
}

function hasEnded(ended: Ended | undefined, callId: string): boolean {
  for (let each = ended; each !== undefined; each = each.before) if (each.callIds.includes(callId)) return true;
  return false;
}

/** A question as it is listed. */
export function toListed(question: Question & Partial<QuestionEntry>): Open {
  const { type: _, seal: __, input: ___, preview: ____, taintedBy: _____, ...rest } = question;
  return rest;
}

function without(open: Waiting['open'], isOver: (question: Open) => boolean): Waiting['open'] {
  const left = [...open].filter(([, question]) => !isOver(question));
  return left.length === open.size ? open : new Map(left);
}

/** Questions inside a call are obsolete once the call itself is asked about. */
function isReplaced(question: Open, next: QuestionEntry): boolean {
  const isOfModel = next.parentCallId === undefined && next.path === undefined;
  return keyOf(question) === keyOf(next) || (isOfModel && callOf(question) === next.callId);
}

/** The change that updates a thread's record in the index; none if nothing changed. */
export function indexChange(thread: RecordKey, before: Waiting, after: Waiting): readonly RecordChange[] {
  if (before.open === after.open) return [];
  const [known, listed] = [before, after].map(({ open }) => [...open.values()].slice(0, mostListed));
  if (known?.length === listed?.length && known?.every((each, index) => each === listed?.[index]) === true) return [];
  const key = indexKey(thread);
  return [listed?.length === 0 ? { type: 'remove', key } : { type: 'put', key, value: toJson(listed) }];
}

/** Parses a record of the index; undefined if it is damaged or of another version. */
export function listedIn(value: unknown): readonly Open[] | undefined {
  return Array.isArray(value) ? (value as readonly unknown[]).filter(isOpen) : undefined;
}

const openShape = {
  id: isText,
  kind: isText,
  callId: isText,
  name: isText,
  title: isText,
  runId: isText,
  time: isNumber,
};

function isOpen(value: unknown): value is Open {
  return hasShape(value, openShape);
}
