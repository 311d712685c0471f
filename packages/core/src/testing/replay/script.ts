import type { JsonObject } from '../../base/json.ts';
import { canonicalJson } from '../../base/json.ts';
import { callsOf } from '../../model/message.ts';
import type { LateResultPart, Message, ToolResultPart } from '../../model/message.ts';
import type { FinishReason } from '../../model/model.ts';
import type { AnswerEntry, CompactionEntry, QuestionEntry, StoredEntry } from '../../thread/entry.ts';
import { isLate, messageIn } from './segment.ts';
import type { Segment } from './segment.ts';

/** A stored turn of the model. */
export interface StoredTurn {
  readonly id: string;
  /** As produced by the model. */
  readonly streamed: Message;
  /** Position of the first entry with it. */
  readonly position: number;
  readonly reason: FinishReason;
}

/** A stored result of a call. */
export interface StoredResult {
  readonly part: ToolResultPart;
  readonly position: number;
  readonly isOfRun: boolean;
  /** Number of calls that the model had made when it was stored. */
  readonly behind: readonly string[];
}

/** Stored behaviour of everything outside the loop in a segment: model, tools and people. */
export interface Script {
  readonly turns: readonly StoredTurn[];
  readonly results: ReadonlyMap<string, StoredResult>;
  /** Results of background calls, with the turn after which each arrived; -1: before the first one. */
  readonly late: ReadonlyMap<string, { readonly part: LateResultPart; readonly turn: number }>;
  /** Results of the model's calls, in this segment and before it. */
  readonly questions: readonly QuestionEntry[];
  /** By question id. */
  readonly answers: ReadonlyMap<string, AnswerEntry>;
  readonly compactions: readonly CompactionEntry[];
  /** Messages that people wrote while the run was active. */
  readonly sent: readonly Message[];
  /** Ids of calls that began in this segment. */
  readonly begun: ReadonlySet<string>;
  /** True if somebody could be asked. */
  readonly interactive: boolean;
  /** Inputs rewritten by tools, by call id. */
  readonly rewritten: ReadonlyMap<string, JsonObject>;
  /** The call whose tool ended the run. */
  readonly endedBy: string | undefined;
}

/** Reads a segment as a script of everything outside the loop. */
export function scriptOf(segment: Segment): Script {
  const { own, before, runId } = segment;
  const results = resultsIn(own, runId);
  const questions = [...before, ...own].flatMap(({ entry }) => (entry.type === 'question' ? entry : []));
  const asked = new Set(questions.flatMap(({ kind, callId }) => (kind === 'recovery' ? callId : [])));
  const answers = own.flatMap(({ entry }) => (entry.type === 'answer' ? entry : []));
  const wasSilent = ({ part: { code, deniedBy, callId }, isOfRun }: StoredResult): boolean =>
    deniedBy === 'nobody' || (code === 'tool_interrupted' && isOfRun && !asked.has(callId));
  const turns = turnsIn(segment, results);
  return {
    turns,
    results,
    late: lateIn(own, turns),
    questions,
    answers: new Map(answers.toReversed().map((answer) => [answer.questionId, answer])), // the first one counts
    compactions: own.flatMap(({ entry }) => (entry.type === 'compacted' ? entry : [])),
    sent: sentIn(segment),
    begun: new Set(own.flatMap(({ entry }) => (entry.type === 'call-begun' ? entry.callId : []))),
    interactive: ![...results.values()].some(wasSilent),
    rewritten: rewrittenIn(segment, { questions, answers }),
    endedBy: enderOf(segment, results),
  };
}

/** A result that ends the run is recognized by the end of the run only. */
function enderOf({ own, end }: Segment, results: Script['results']): string | undefined {
  const messages = own.flatMap(({ entry }) => messageIn(entry) ?? []);
  const added = own.flatMap(({ entry }) => (entry.type === 'message' ? entry.message : [])); // a turn is revised after calls that finished first
  if (added.at(-1)?.role !== 'tool' || !['complete', 'limit'].includes(end?.status ?? '')) return undefined;
  const turn = messages.findLast(({ role }) => role === 'assistant');
  const ids = turn === undefined ? [...results.keys()] : callsOf(turn).map(({ callId }) => callId);
  return ids.find((callId) => results.get(callId)?.part.isError === false);
}

/** Inputs that differ from the model's, unless a person changed them. */
function rewrittenIn(
  { before, own }: Segment,
  { questions, answers }: { readonly questions: Script['questions']; readonly answers: readonly AnswerEntry[] },
): Script['rewritten'] {
  const byPeople = new Set(
    questions.flatMap(({ id, callId }) =>
      answers.some(({ questionId, answer }) => questionId === id && typeof answer === 'object') ? callId : [],
    ),
  );
  const first = new Map<string, JsonObject>();
  const last = new Map<string, JsonObject>();
  for (const { entry } of [...before, ...own]) {
    const message = messageIn(entry);
    if (message === undefined || message.incomplete !== undefined) continue;
    for (const { callId, input } of callsOf(message)) {
      if (!first.has(callId)) first.set(callId, input);
      last.set(callId, input);
    }
  }
  const isOther = ([callId, input]: [string, JsonObject]): boolean =>
    !byPeople.has(callId) && canonicalJson(input) !== canonicalJson(first.get(callId) ?? {});
  return new Map([...last].filter(isOther));
}

function lateIn(own: readonly StoredEntry[], turns: readonly StoredTurn[]): Script['late'] {
  return new Map(
    own.flatMap(({ position, entry }) => {
      const part = messageIn(entry)?.parts.find((each) => each.type === 'late-result');
      const turn = turns.findLastIndex((each) => each.position < position);
      return part === undefined ? [] : [[part.callId, { part, turn }] as const];
    }),
  );
}

function resultsIn(own: readonly StoredEntry[], runId: string): ReadonlyMap<string, StoredResult> {
  const results = new Map<string, StoredResult>();
  let behind: readonly string[] = [];
  for (const { position, entry } of own) {
    if (entry.type === 'inner-result')
      results.set(entry.result.callId, { part: entry.result, position, isOfRun: true, behind });
    const message = messageIn(entry);
    if (message?.role === 'assistant') behind = callsOf(message).map(({ callId }) => callId);
    for (const part of message?.role === 'tool' ? message.parts : [])
      if (part.type === 'tool-result')
        results.set(part.callId, { part, position, isOfRun: message?.runId === runId, behind });
  }
  return results;
}

/** Ids of messages that existed when the process took over. */
export function knownIn({ before, draft, given = [] }: Segment): ReadonlySet<string> {
  const stored = before.flatMap(({ entry }) => messageIn(entry)?.id ?? []);
  return new Set([...stored, ...given.map(({ id }) => id), ...(draft === undefined ? [] : [draft.id])]);
}

function sentIn(segment: Segment): readonly Message[] {
  const known = knownIn(segment);
  const messages = segment.own.flatMap(({ entry }) => messageIn(entry) ?? []);
  return messages.filter((message) => message.role === 'user' && !known.has(message.id) && !isLate(message));
}

function turnsIn(segment: Segment, results: Script['results']): readonly StoredTurn[] {
  const { own, end } = segment;
  const known = knownIn(segment);
  const versions = new Map<string, { readonly position: number; streamed: Message }>();
  for (const { position, entry } of own) {
    const message = messageIn(entry);
    if (message?.role !== 'assistant' || known.has(message.id) || message.id.endsWith('/lost')) continue;
    const turn = versions.get(message.id) ?? { position, streamed: message };
    if (turn.streamed.incomplete !== undefined) turn.streamed = message; // the first complete one, else the last
    versions.set(message.id, turn);
  }
  const messages = own.flatMap(({ entry }) => messageIn(entry) ?? []);
  const turns = [...versions].map(([id, turn]) => ({ id, ...turn }));
  return turns.map((turn, index): StoredTurn => {
    const isLast = index === turns.length - 1;
    const place = messages.findIndex(({ id }) => id === turn.id);
    const isAnswered = messages.slice(place + 1).find(({ id }) => id !== turn.id)?.role !== 'assistant';
    return {
      ...turn,
      reason: reasonOf(turn.streamed, results, isLast ? end?.status : isAnswered ? 'complete' : 'pause'),
    };
  });
}

/** Text of a call that was truncated at the output limit. */
const cutOffText = /^This call was (?:cut off|truncated) at the output limit/;

const reasons: Readonly<Record<string, FinishReason>> = {
  pause: 'pause',
  refused: 'refusal',
  limit: 'length',
  error: 'error',
};

/** Finish reason of a turn, which threads do not record: inferred from the run's next step. */
function reasonOf(turn: Message, results: Script['results'], status = 'complete'): FinishReason {
  const calls = callsOf(turn);
  const isCut = calls.some(({ callId }) => cutOffText.test(String(results.get(callId)?.part.output)));
  if (isCut) return 'length';
  return calls.length > 0 ? 'tool-calls' : (reasons[status] ?? 'stop');
}
