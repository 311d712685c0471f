import { changePauses } from '../../base/pauses.ts';
import type { Pauses } from '../../base/pauses.ts';
import { fingerprint } from '../../base/hash.ts';
import { cancelled } from '../../call/attempt.ts';
import type { CallContext } from '../../call/call-context.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import { answerName, answersEachTime, checkAnswer } from '../../thread/question.ts';
import type { Question, QuestionAnswer } from '../../thread/question.ts';
import { failure } from '../../tool/result.ts';
import type { ToolResult } from '../../tool/result.ts';
import type { RunEventBody } from '../../tool/run-event.ts';
import type { Toolset } from '../../toolset/toolset.ts';
import type { GuardSession } from './guard-session.ts';
import type { CallUnderReview, Judge } from '../permission/judge.ts';
import type { Ask } from '../loop/state.ts';
import { effectsShown, previewOf, showsChanges } from '../questions/preview.ts';
import { denied } from '../permission/policy.ts';
import { createRemember } from '../permission/store-grant.ts';
import { review } from '../permission/review.ts';
import type { Reviewed } from '../permission/review.ts';

/** Dependencies of a guard's reviews. */
export interface GuardReviewSetup {
  readonly toolset: Toolset;
  readonly session: GuardSession;
  tell(event: RunEventBody): void;
}

/** Context of a call under review. */
export interface GuardedContext extends CallContext {
  /** Clocks of its outer calls: they stand still while people are asked. */
  readonly around: readonly Pauses[];
}

/** A call that may run. */
export interface AllowedCall {
  readonly ready: PreparedCall;
  /** A person has seen everything that it changes. */
  readonly isReviewed: boolean;
}

/** A call that may run, or its result. */
export type GuardReviewed = Extract<Reviewed, { result: ToolResult }> | AllowedCall;

/** Reviews the calls of a guard outside of runs. */
export function createGuardReview({ toolset, session, tell }: GuardReviewSetup) {
  const { policy, ownGrants, grants, taint } = session;

  return async function reviewOf(call: CallUnderReview, context: GuardedContext): Promise<GuardReviewed> {
    const { principal = context.principal } = session;
    const judge: Judge = {
      policy,
      principal,
      projectId: context.projectId,
      interactive: session.ask !== undefined,
      grants: grants === undefined ? [ownGrants] : [ownGrants, grants],
      taint,
      emit: tell,
    };
    let open: Question | undefined;
    const reviewed = await review<'later' | 'nobody' | 'aborted'>(
      {
        judge,
        remember: createRemember({ own: ownGrants, stored: grants, principal, emit: tell }),
        prepare: async (input) => toolset.prepare({ name: call.ready.name, input }),
        async ask(_, asking) {
          open = await questionOf(call, asking, context);
          return answerTo(open, context);
        },
        unanswered: ({ ready }, why) => {
          if (why === 'nobody') return denied(ready.name, why);
          return why === 'aborted' ? cancelled(ready) : { ...waiting(ready.name), ...(open && { question: open }) };
        },
        settle: ({ ready }, output) => ready.settle(output, context),
      },
      call,
    );
    return 'result' in reviewed ? reviewed : { ...reviewed, isReviewed: showsChanges(open?.preview) };
  };

  /** Deterministic id: the same question always has the same one. */
  async function questionOf(
    { callId, ready }: CallUnderReview,
    { ask: kind, reason, eachTime }: Ask,
    context: GuardedContext,
  ): Promise<Question> {
    const { name, input, title, toolFingerprint } = ready;
    const { projectId, runId, threadId = runId, signal, now = Date.now } = context;
    const { principal = context.principal } = session;
    const asking = { limits: {}, projectId, principal, signal, thread: { id: threadId } };
    const preview = await previewOf(ready, asking);
    return {
      id: await fingerprint({ threadId, callId, kind, name, input, toolFingerprint: toolFingerprint ?? '' }),
      kind,
      callId,
      name,
      input,
      title,
      effects: effectsShown(ready.effects, preview),
      ...(preview !== undefined && { preview }),
      ...(reason !== undefined && { reason }),
      ...answersEachTime(kind, eachTime),
      ...(taint.isTainted && { taintedBy: [...taint.sources] }),
      runId,
      projectId,
      ...(toolFingerprint !== undefined && { toolFingerprint }),
      time: now(),
    };
  }

  async function asked(question: Question, signal: AbortSignal): Promise<QuestionAnswer | 'later' | 'nobody'> {
    return (await session.ask?.(question, { signal })) ?? 'nobody';
  }

  async function answerTo(
    question: Question,
    { signal, around }: GuardedContext,
  ): Promise<QuestionAnswer | 'later' | 'nobody' | 'aborted'> {
    const { id: questionId, kind, runId: _, projectId: __, toolFingerprint: ___, time: ____, ...shown } = question;
    tell({ type: `${kind}-request`, questionId, ...shown });
    for (const each of around) changePauses(each, 1);
    try {
      const answer = await untilAborted(asked(question, signal), signal);
      if (answer === 'later' || answer === 'nobody' || answer === 'aborted') return answer;
      checkAnswer(question, { answer });
      if (answer === 'always' && grants === undefined) return 'nobody';
      tell({ type: `${kind}-answer`, questionId, callId: question.callId, answer: answerName(answer) });
      return answer;
    } catch {
      return 'nobody';
    } finally {
      for (const each of around) changePauses(each, -1);
    }
  }
}

/** No answer is awaited for a cancelled call. */
function untilAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value | 'aborted'> {
  return new Promise((resolve, reject) => {
    const abort = (): void => resolve('aborted');
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function waiting(name: string): ToolResult {
  const text = `The user was asked whether tool '${name}' may run, and has not answered yet. It has not run. Do not call it again until they have.`;
  return failure('approval_pending', text);
}
