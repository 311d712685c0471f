import { UtensilError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Effect } from '../model/effect.ts';

/**
 * Kind of a question: permission for a call (`approval`), output of a call (`input`), or outcome of an interrupted call
 * that may have taken effect (`recovery`).
 */
export type QuestionKind = 'approval' | 'input' | 'recovery';

/**
 * Answer to a question. To an approval: allow `once`, for the `run` or `always`, `deny`, or allow with another `input`.
 * To a call of a tool without `execute`: its `output`, or `deny`. To an interrupted call: `accept` it as done, `reject`
 * it as not done, or run it `again`.
 */
export type QuestionAnswer =
  | 'once'
  | 'run'
  | 'always'
  | 'deny'
  | 'accept'
  | 'reject'
  | 'again'
  | { readonly input: JsonObject }
  | { readonly output: Json };

/** A question about a call, as stored in a thread. */
export interface Question {
  /** Unique in its thread, and stable over crashes. */
  readonly id: string;
  readonly kind: QuestionKind;
  readonly callId: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly title: string;
  /** Not `destructive` if the preview shows that all of it can be undone. */
  readonly effects: Effect;
  /**
   * Preview of the call's effect, or data that its client needs to answer, if its tool provides any. Absent for
   * `recovery`.
   */
  readonly preview?: Json;
  /** Reason for the question: the rule that decided, in one sentence for people. */
  readonly reason?: string;
  /**
   * Names of the possible answers. `run` and `always` are absent if a rule asks about every such call. Absent: all of
   * its kind, except that `always` is refused if the run has no `grants`.
   */
  readonly answers?: readonly string[];
  /** Outside content read by the run that may have led to the call, by tool and file. */
  readonly taintedBy?: readonly string[];
  /** Id of the call whose tool made this call. */
  readonly parentCallId?: string;
  /**
   * Calls whose tools began the runs that the question comes from, outermost first. Absent: it comes from the run
   * itself.
   */
  readonly path?: readonly string[];
  readonly runId: string;
  readonly projectId: string;
  readonly toolFingerprint?: string;
  /** Names of the people who may answer. Default: everybody with access to the thread. */
  readonly answerers?: readonly string[];
  /** Expiry in milliseconds since 1970; a later answer is refused. */
  readonly expiresAt?: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** All known kinds. A question of another kind comes from a newer version. */
export const questionKinds: readonly QuestionKind[] = ['approval', 'input', 'recovery'];

const answersTo: Readonly<Record<QuestionKind, readonly string[]>> = {
  approval: ['once', 'run', 'always', 'deny', 'input'],
  input: ['output', 'deny'],
  recovery: ['accept', 'reject', 'again'],
};

/** Answers to a call that is asked about every time; empty if it is not. */
export function answersEachTime(kind: QuestionKind, eachTime = false): Pick<Question, 'answers'> {
  if (kind !== 'approval' || !eachTime) return {};
  return { answers: answersTo[kind].filter((each) => each !== 'run' && each !== 'always') };
}

/** Names of the answers that a question accepts. */
function answersOf({ kind, answers }: Pick<Question, 'kind' | 'answers'>): readonly string[] {
  return answersTo[kind].filter((each) => answers?.includes(each) ?? true);
}

/** Maximum number of characters of an invalid answer that its error quotes. */
const mostQuoted = 40;

/** Name of an answer: itself, `input` or `output`. */
export function answerName(answer: QuestionAnswer | 'closed'): string {
  return typeof answer === 'string' ? answer : 'input' in answer ? 'input' : 'output';
}

/** True if the answer lets a call run. */
export function letsRun(answer: QuestionAnswer | 'closed'): boolean {
  return ['once', 'run', 'always', 'again', 'input'].includes(answerName(answer));
}

/** True if a value is an answer to some question. Clients may send anything. */
export function isAnswer(value: unknown): boolean {
  if (!isObject(value)) return typeof value === 'string';
  const { input, output } = value;
  return output === undefined ? isObject(input) : input === undefined;
}

/** Throws `invalid_input` unless this is a valid answer to the question, and the name is valid. */
export function checkAnswer(
  { kind, callId, answers }: Pick<Question, 'kind' | 'callId' | 'answers'>,
  { answer, by }: { readonly answer: QuestionAnswer; readonly by?: string | undefined },
): void {
  if (by !== undefined && typeof by !== 'string')
    throw new UtensilError('invalid_input', `\`by\` must be a text: the name of who answers; got ${typeof by}.`);
  const said = isAnswer(answer) ? answerName(answer).slice(0, mostQuoted) : 'something else';
  const possible = answersOf({ kind, ...(answers && { answers }) });
  if (possible.includes(said)) return;
  const fitting = possible.map((each) => (isObjectAnswer(each) ? `{ ${each} }` : `'${each}'`));
  const problem = `Call "${callId}" has an open question of kind "${kind}": answer ${fitting.join(', ')}; got '${said}'.`;
  throw new UtensilError('invalid_input', problem);
}

/** True if the person with this name may answer. */
export function mayAnswer({ answerers }: Pick<Question, 'answerers'>, by: string | undefined): boolean {
  return answerers === undefined || (by !== undefined && answerers.includes(by));
}

function isObjectAnswer(name: string): boolean {
  return name === 'input' || name === 'output';
}
