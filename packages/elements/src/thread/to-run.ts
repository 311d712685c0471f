import { messageOf } from '@utensil/core';
import type { Run } from '@utensil/core';
import { UtensilApproval } from '../approval/approval.ts';
import type { AnswerDetail } from '../approval/approval.ts';
import type { CancelDetail } from '../call/call.ts';
import type { LiveRun } from '../view/index.ts';

/** Passes an answer to a run, unless the page prevents it. Ignores questions that are no longer open. */
export function answerRun(run: Run, event: CustomEvent<AnswerDetail>, live: () => LiveRun): void {
  const [approval] = event.composedPath();
  queueMicrotask(() => {
    const { questionId, answer } = event.detail;
    const isOpen = live().questions.some((asked) => asked.questionId === questionId);
    if (!isOpen || event.defaultPrevented) return;
    try {
      run.answer(questionId, answer);
    } catch (error) {
      if (approval instanceof UtensilApproval) approval.problem = messageOf(error);
    }
  });
}

/** Cancels a call of a run, unless the page prevents it. Ignores calls that have ended. */
export function cancelCall(run: Run, event: CustomEvent<CancelDetail>): void {
  queueMicrotask(() => {
    if (!event.defaultPrevented) run.cancel(event.detail.path);
  });
}
