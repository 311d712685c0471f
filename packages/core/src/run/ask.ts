import type { JsonObject } from '../base/json.ts';
import type { ToolCallPart } from '../model/message.ts';
import type { PreparedCall } from '../call/prepare.ts';
import { denial, told } from '../tool/result.ts';
import type { ToolResult } from '../tool/result.ts';
import { preparedPart } from './call-parts.ts';
import { recordOf } from './call-records.ts';
import type { RunContext } from './run-context.ts';
import { approvalOf } from './approvals.ts';
import { denialText } from './policy.ts';
import { effectsShown, previewOf, showsChanges } from './preview.ts';
import { createQuestions } from './questions.ts';
import type { QuestionAnswer, Questions } from './questions.ts';
import type { Question, RunInput } from './loop/state.ts';

/** What answers need of the calls that they are about. */
export interface AnswersSetup {
  readonly run: RunContext;
  /** A call with its result, as an input of the run. */
  settled(call: ToolCallPart, result: ToolResult, durationMs: number): RunInput;
}

/** Asks about the calls of a run, and does what the answers say. Loaded with the first question. */
export interface Answers {
  readonly questions: Questions;
  /** What the answer is to the run; undefined where the call was settled before there was one. */
  ask(call: ToolCallPart, question: Question): Promise<RunInput | undefined>;
}

export function createAnswers({ run, settled }: AnswersSetup): Answers {
  const { toolset, thread, limits, calls } = run;
  const questions = createQuestions(run.emit, run.canRemember);

  async function ask(call: ToolCallPart, question: Question): Promise<RunInput | undefined> {
    const record = recordOf(calls, call.callId);
    const { ready } = record;
    if (ready === undefined) return undefined;
    const preview = question === 'approval' ? await previewOf(ready, run) : undefined;
    if (run.signal.aborted || record.ready === undefined) return undefined;
    const effects = effectsShown(ready.effects, preview);
    const answer = await questions.ask({ call, question, effects, preview, taint: run.taint });
    if (showsChanges(preview)) record.isReviewed = true;
    return answer === undefined ? undefined : afterAnswer(call, answer, ready);
  }

  async function afterAnswer(call: ToolCallPart, answer: QuestionAnswer, ready: PreparedCall): Promise<RunInput> {
    if (answer === 'deny') return settled(call, denial('user', denialText(call.name, 'user')), 0);
    if (answer === 'reject') return settled(call, denial('user', 'User rejected the tool call'), 0);
    if (answer === 'accept') return settled(call, accepted, 0);
    if (typeof answer === 'object' && 'input' in answer) return withInput(call, answer.input);
    if (typeof answer === 'string') return approved(call, answer, ready);
    const outputLimit = limits.toolOutput;
    return settled(call, await ready.settle(answer.output, outputLimit === undefined ? {} : { outputLimit }), 0);
  }

  /** What the user allowed is known after an interruption too. */
  async function approved(
    { callId, name }: ToolCallPart,
    answer: QuestionAnswer,
    ready: PreparedCall,
  ): Promise<RunInput> {
    const { toolFingerprint = '' } = ready;
    await thread?.note(await approvalOf({ callId, name, ready }, run));
    await run.remember(answer, { callId, name, toolFingerprint });
    return { type: 'approved', callId };
  }

  /** The user allows the call with another input; one that the tool does not take is answered as one of the model's. */
  async function withInput(call: ToolCallPart, input: JsonObject): Promise<RunInput> {
    const ready = await toolset.prepare({ name: call.name, input });
    if (ready.refusal !== undefined) return settled(call, ready.refusal, 0);
    const { callId } = call;
    recordOf(calls, callId).ready = ready; // not in the journal: there, it would be the call as the model made it that was allowed
    return { type: 'approved', callId, changed: { call: preparedPart(call, ready), effects: ready.effects } };
  }

  return { questions, ask };
}

const accepted = told('This call was interrupted. The user has seen that it took effect; its output is not known.');
