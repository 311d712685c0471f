import type { Json, JsonObject } from '../../base/json.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import type { QuestionAnswer } from '../../thread/question.ts';
import type { ToolResult } from '../../tool/result.ts';
import { judge, judgeAgain } from './judge.ts';
import type { CallUnderReview, Judge } from './judge.ts';
import type { Ask } from '../loop/state.ts';
import { denied } from './policy.ts';
import type { Unanswered } from '../questions/questions.ts';
import type { Remember } from './store-grant.ts';

/** The part of the surrounding loop that a review needs. */
export interface Review<Why extends string = Unanswered> {
  readonly judge: Judge;
  readonly remember: Remember;
  ask(call: CallUnderReview, asking: Ask): Promise<QuestionAnswer | Why>;
  /** Result of a call whose question has no answer. */
  unanswered(call: CallUnderReview, why: Why): ToolResult | Promise<ToolResult>;
  /** Result of a call whose output a person gave. */
  settle(call: CallUnderReview, output: Json): Promise<ToolResult>;
  /** The call with another input. */
  prepare(input: JsonObject): Promise<PreparedCall>;
}

/** A call that may run, possibly with another input, or its result. */
export type Reviewed = { readonly ready: PreparedCall } | { readonly result: ToolResult };

/** Decides about a call, and asks if necessary. The policy may still deny what a person allows. */
export async function review<Why extends string>(setup: Review<Why>, call: CallUnderReview): Promise<Reviewed> {
  const verdict = await judge(setup.judge, call);
  if (verdict === 'allow') return { ready: call.ready };
  if ('result' in verdict) return verdict;
  const answer = await setup.ask(call, verdict);
  if (answer === 'deny') return { result: denied(call.ready.name, 'user') };
  const said = typeof answer === 'object' ? answer : letting.find((each) => each === answer);
  if (said === undefined) return { result: await setup.unanswered(call, answer as Why) };
  if (typeof said === 'object' && 'output' in said) return { result: await setup.settle(call, said.output) };
  const ready = typeof said === 'object' ? await setup.prepare(said.input) : call.ready;
  if (ready.refusal !== undefined) return { result: ready.refusal };
  const { refused, eachTime } = await judgeAgain(setup.judge, { ...call, ready });
  if (refused !== undefined) return { result: refused };
  if (typeof said === 'string') await setup.remember(said, call, { eachTime });
  return { ready };
}

const letting = ['once', 'run', 'always'] as const;
