import type { JsonObject } from '../../base/json.ts';
import type { ToolCallPart } from '../../model/message.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import type { QuestionAnswer, QuestionKind } from '../../thread/question.ts';
import { denial, told } from '../../tool/result.ts';
import type { ToolResult } from '../../tool/result.ts';
import { preparedPart } from '../calls/call-parts.ts';
import type { Settle } from '../calls/call-results.ts';
import { recordOf } from '../calls/call-records.ts';
import { judgeAgain } from '../permission/judge.ts';
import type { RunContext } from '../run-context.ts';
import { interrupted, notRun } from '../loop/calls.ts';
import { denied } from '../permission/policy.ts';
import { previewOf } from './preview.ts';
import { createQuestions } from './questions.ts';
import type { Questions, Unanswered } from './questions.ts';
import type { RunInput } from '../loop/state.ts';

export { createQuestionKeeper } from './question-keeper.ts'; // both are needed together

/** Access of answers to the calls concerned. */
export interface AnswersSetup {
  readonly run: RunContext;
  /** Wraps a result as an input of the run. */
  readonly settle: Settle;
  /** Called if the run may have nothing to do but wait. */
  park(): void;
}

/** Asks about the calls of a run, and acts on the answers. Loaded with the first question. */
export interface Answers {
  readonly questions: Questions;
  /** Input of the run for an answer; undefined if the call was settled before. */
  ask(call: ToolCallPart, kind: QuestionKind): Promise<RunInput | undefined>;
}

export function createAnswers({ run, settle, park }: AnswersSetup): Answers {
  const { toolset, limits, calls } = run;
  const questions = createQuestions(run, park);

  async function ask(call: ToolCallPart, kind: QuestionKind): Promise<RunInput | undefined> {
    const record = recordOf(calls, call.callId);
    const { ready } = record;
    if (ready === undefined) return undefined;
    const preview = kind !== 'recovery' ? await previewOf(ready, run) : undefined;
    const isOver = (): boolean => run.signal.aborted || record.ready === undefined;
    if (isOver()) return undefined;
    const { effects, toolFingerprint } = ready;
    const raised = await questions.raise({ call, kind, effects, preview, ...record.why, toolFingerprint });
    if (isOver()) return undefined;
    run.feed({ type: 'asked', callId: call.callId });
    const answer = await questions.wait(raised);
    return answer === 'closed' ? undefined : afterAnswer(call, { kind, answer }, ready);
  }

  async function afterAnswer(
    call: ToolCallPart,
    { kind, answer }: { readonly kind: QuestionKind; readonly answer: QuestionAnswer | Unanswered },
    ready: PreparedCall,
  ): Promise<RunInput> {
    if (answer === 'expired' || answer === 'nobody' || answer === 'closed')
      return settle(call, unanswered(call, kind, answer), 0);
    if (answer === 'deny') return settle(call, denied(call.name, 'user'), 0);
    if (answer === 'reject') return settle(call, denial('user', 'User rejected the tool call'), 0);
    if (answer === 'accept') return settle(call, accepted, 0);
    if (typeof answer === 'object' && 'input' in answer) return withInput(call, answer.input);
    if (typeof answer === 'string') return approved(call, answer, ready);
    const outputLimit = limits.toolOutput;
    return settle(call, await ready.settle(answer.output, outputLimit === undefined ? {} : { outputLimit }), 0);
  }

  async function approved(call: ToolCallPart, answer: QuestionAnswer, ready: PreparedCall): Promise<RunInput> {
    const { callId } = call;
    const { refused, eachTime } = await judgeAgain(run, { callId, ready });
    if (refused !== undefined) return settle(call, refused, 0);
    await run.remember(answer, { callId, ready }, { eachTime });
    return { type: 'approved', callId };
  }

  /** The user approved another input. An invalid one is answered like the model's own. */
  async function withInput(call: ToolCallPart, input: JsonObject): Promise<RunInput> {
    const { callId } = call;
    const { madeFor } = recordOf(calls, callId);
    const stored = madeFor === undefined ? {} : { stored: { toolFingerprint: madeFor } }; // as shown to the person
    const ready = await toolset.prepare({ name: call.name, input, ...stored });
    const refused = ready.refusal ?? (await judgeAgain(run, { callId, ready })).refused;
    if (refused !== undefined) return settle(call, refused, 0);
    recordOf(calls, callId).ready = ready;
    return { type: 'approved', callId, changed: { call: preparedPart(call, ready), effects: ready.effects } };
  }

  return { questions, ask };
}

/** Result of a call whose question has no answer. */
export function unanswered(call: Pick<ToolCallPart, 'name'>, kind: QuestionKind, why: Unanswered): ToolResult {
  if (kind === 'recovery') return interrupted;
  if (why === 'nobody') return denied(call.name, 'nobody');
  return notRun(call, why === 'expired' ? 'nobody answered in time whether it may' : 'the user did not approve it');
}

const accepted = told('This call was interrupted. The user has seen that it took effect; its output is not known.');
