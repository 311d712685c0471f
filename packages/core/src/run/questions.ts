import { UtensilError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { ToolCallPart } from '../model/message.ts';
import type { Effect } from '../model/effect.ts';
import type { RunEventBody } from '../tool/run-event.ts';
import { noQuestion } from './run-ended.ts';
import type { Question } from './loop/state.ts';
import type { Taint } from './taint.ts';

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

const answersTo: Readonly<Record<Question, readonly string[]>> = {
  approval: ['once', 'run', 'always', 'deny', 'input'],
  input: ['output', 'deny'],
  recovery: ['accept', 'reject', 'again'],
};

/** What is asked. */
export interface Asking {
  readonly call: ToolCallPart;
  readonly question: Question;
  readonly effects: Effect;
  readonly preview?: Json | undefined;
  readonly taint?: Taint;
  readonly parentCallId?: string;
}

/** Why nothing more is asked about calls that tools make: the run was stopped, or the user turned to something else. */
export type Declined = 'stopped' | 'dismissed';

/** The open questions of a run. */
export interface Questions {
  /** Asks; undefined where the question is closed before it is answered, or its signal fires. */
  ask(asking: Asking, signal?: AbortSignal): Promise<QuestionAnswer | undefined>;
  /** Throws at once where the answer fits no open question. */
  answer(callId: string, answer: QuestionAnswer): void;
  close(callId: string): void;
  /** Closes those about calls that tools make. */
  closeInside(): void;
  closeAll(): void;
}

/** Questions that are told of in events. `canRemember`: an answer may be `always`. */
export function createQuestions(emit: (body: RunEventBody) => void, canRemember: boolean): Questions {
  const open = new Map<
    string,
    { readonly question: Question; readonly isInside: boolean; settle(answer?: QuestionAnswer): void }
  >();

  function close(callId: string): void {
    open.get(callId)?.settle();
    open.delete(callId);
  }

  return {
    async ask({ call, question, effects, preview, taint, parentCallId }, signal) {
      const { callId, name, input, title = name } = call;
      const parent = parentCallId !== undefined && { parentCallId };
      const tainted = taint?.isTainted === true && { taintedBy: [...taint.sources] };
      const asked = { callId, name, input, title, effects, ...tainted, ...parent };
      const isInside = parentCallId !== undefined;
      const answered = new Promise<QuestionAnswer | undefined>((settle) =>
        open.set(callId, { question, isInside, settle }),
      );
      const shown = preview === undefined ? {} : { preview };
      emit({ type: `${question}-request`, ...asked, ...(question === 'approval' && shown) });
      const leave = (): void => close(callId);
      signal?.addEventListener('abort', leave);
      const answer = await answered;
      signal?.removeEventListener('abort', leave);
      return answer;
    },
    answer(callId, answer) {
      const asked = open.get(callId);
      if (asked === undefined) throw noQuestion(callId);
      const said = typeof answer === 'string' ? answer : 'input' in answer ? 'input' : 'output';
      const { question, settle } = asked;
      if (!answersTo[question].includes(said)) {
        const fitting = answersTo[question].map((each) => (isObjectAnswer(each) ? `{ ${each} }` : `'${each}'`));
        const problem = `Call "${callId}" has an open question of kind "${question}": answer ${fitting.join(', ')}; got '${said}'.`;
        throw new UtensilError('invalid_input', problem);
      }
      if (said === 'always' && !canRemember)
        throw new UtensilError(
          'invalid_input',
          `This run has no \`grants\` to remember an answer in: answer 'run' instead.`,
        );
      open.delete(callId);
      emit({ type: `${question}-answer`, callId, answer: said });
      settle(answer);
    },
    close,
    closeInside() {
      for (const [callId, { isInside }] of [...open]) if (isInside) close(callId);
    },
    closeAll() {
      for (const callId of [...open.keys()]) close(callId);
    },
  };
}

function isObjectAnswer(name: string): boolean {
  return name === 'input' || name === 'output';
}
