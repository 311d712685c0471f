import { UtensilError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Effect } from '../model/effect.ts';

/**
 * The reason for a question: permission for a call (`approval`), the output of a call (`input`), or the outcome of a call that was
 * interrupted and may have taken effect (`recovery`).
 */
export type QuestionKind = 'approval' | 'input' | 'recovery';

/**
 * An answer to a question of a run. To an approval: this `once`, for the `run`, `always`, `deny`, or with another
 * `input`. To a call of a tool without `execute`: its `output`, or `deny`. To a call that may have taken effect before
 * an interruption: `accept` it as done, `reject` it as not done, or run it `again`.
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

/** A question to people about a call, as a thread keeps it. */
export interface Question {
  /** Unique in its thread, and the same after a crash. */
  readonly id: string;
  readonly kind: QuestionKind;
  readonly callId: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly title: string;
  /** Not `destructive` if the preview shows that all of it can be undone. */
  readonly effects: Effect;
  /** What the call would do, or what its client needs to answer, if its tool says that. Not of a `recovery`. */
  readonly preview?: Json;
  /** Why it is asked, in one sentence for people: the rule that decided. */
  readonly reason?: string;
  /**
   * Names of the answers that are possible. `run` and `always` are missing if a rule asks about each such call, as they could not be
   * kept. Absent: all of its kind; `always` is refused if the run has no `grants`.
   */
  readonly answers?: readonly string[];
  /** Outside content that the run has read, by tool and file, and that may have led to the call. */
  readonly taintedBy?: readonly string[];
  /** The call whose tool made this one. */
  readonly parentCallId?: string;
  /** Calls whose tools began the runs that the question comes from, outermost first. Absent: it comes from the run itself. */
  readonly path?: readonly string[];
  readonly runId: string;
  readonly projectId: string;
  readonly toolFingerprint?: string;
  /** Names of those who may answer. Default: everybody who can reach the thread. */
  readonly answerers?: readonly string[];
  /** Milliseconds since 1970; an answer that comes later is refused. */
  readonly expiresAt?: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** All kinds: a question of another one is a newer version's. */
export const questionKinds: readonly QuestionKind[] = ['approval', 'input', 'recovery'];

const answersTo: Readonly<Record<QuestionKind, readonly string[]>> = {
  approval: ['once', 'run', 'always', 'deny', 'input'],
  input: ['output', 'deny'],
  recovery: ['accept', 'reject', 'again'],
};

/** The answers to a call that is asked about each time; empty if it is not. */
export function answersEachTime(kind: QuestionKind, eachTime = false): Pick<Question, 'answers'> {
  if (kind !== 'approval' || !eachTime) return {};
  return { answers: answersTo[kind].filter((each) => each !== 'run' && each !== 'always') };
}

/** The names of the answers that a question takes. */
function answersOf({ kind, answers }: Pick<Question, 'kind' | 'answers'>): readonly string[] {
  return answersTo[kind].filter((each) => answers?.includes(each) ?? true);
}

/** Characters of what is no answer that its error quotes. */
const mostQuoted = 40;

/** The name of an answer: itself, `input` or `output`. */
export function answerName(answer: QuestionAnswer | 'closed'): string {
  return typeof answer === 'string' ? answer : 'input' in answer ? 'input' : 'output';
}

/** Whether the answer lets a call run. */
export function letsRun(answer: QuestionAnswer | 'closed'): boolean {
  return ['once', 'run', 'always', 'again', 'input'].includes(answerName(answer));
}

/** Whether a value is an answer to some question: what a client sends may be anything. */
export function isAnswer(value: unknown): boolean {
  if (!isObject(value)) return typeof value === 'string';
  const { input, output } = value;
  return output === undefined ? isObject(input) : input === undefined;
}

/** Throws `invalid_input` if this is no answer to that question, or nobody's name. */
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

/** Whether somebody of this name may answer. */
export function mayAnswer({ answerers }: Pick<Question, 'answerers'>, by: string | undefined): boolean {
  return answerers === undefined || (by !== undefined && answerers.includes(by));
}

function isObjectAnswer(name: string): boolean {
  return name === 'input' || name === 'output';
}
