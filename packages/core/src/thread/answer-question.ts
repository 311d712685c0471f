import type { Seals } from '../base/seals.ts';
import { appendAfterRead } from './append-after-read.ts';
import type { AnswerEntry } from './entry.ts';
import { askedIn, isExpired } from './open-questions.ts';
import type { AskedQuestion } from './open-questions.ts';
import { checkAnswer, letsRun, mayAnswer } from './question.ts';
import type { QuestionAnswer } from './question.ts';
import { foreignQuestion, mayNotAnswer, noQuestion, sealsNeeded } from './question-errors.ts';
import { isAsked, sealAnswer } from './question-seals.ts';
import { firstAnswer } from './stored-answers.ts';
import type { Thread, ThreadPage } from './thread.ts';

/** An answer to a question of a thread. */
export interface GivenAnswer {
  readonly questionId: string;
  readonly answer: QuestionAnswer;
  /** Name of the person, from the host's authentication. */
  readonly by?: string;
  /**
   * Seals of the run. Required for answers that let a call run: without them, any writer of the thread could forge one.
   */
  readonly seals?: Seals;
}

/**
 * Answers a question of a thread. Its run may be parked, interrupted, or active in another process: an active run
 * continues at once, any other with `resume`. A question is answered once; a second answer is refused.
 *
 * @throws `question_closed` (answered, dismissed, expired, unknown, or not asked by this app), `invalid_input` (no answer to it, or
 * `seals` are missing), `answer_forbidden` (`by` is not one of its `answerers`).
 * @example
 * ```ts
 * import { answerQuestion, hmacSeals, openQuestions } from '@utensil/core';
 * import type { Thread } from '@utensil/core';
 *
 * async function approveAll(thread: Thread, key: Uint8Array): Promise<void> {
 *   const seals = hmacSeals(key);
 *   for (const { id, kind } of await openQuestions(thread))
 *     if (kind === 'approval') await answerQuestion(thread, { questionId: id, answer: 'once', by: 'ann', seals });
 * }
 * ```
 */
export async function answerQuestion(thread: Thread, given: GivenAnswer, now: () => number = Date.now): Promise<void> {
  await appendAfterRead(thread, (page) => answerIn(page, thread.id, { ...given, now }));
}

/** The entry, if the question is still open. */
async function answerIn(
  page: ThreadPage,
  threadId: string,
  { questionId, answer, by, seals, now }: GivenAnswer & { now(): number },
): Promise<AnswerEntry> {
  const isMeant = ({ question, isUsedUp }: AskedQuestion): boolean => question.id === questionId && isUsedUp !== true;
  const { question, answers = [] } = askedIn(page).find(isMeant) ?? {};
  if (question === undefined || isExpired(question, now())) throw noQuestion(questionId);
  checkAnswer(question, { answer, by });
  if (!mayAnswer(question, by)) throw mayNotAnswer(question, by);
  if (letsRun(answer) && seals === undefined) throw sealsNeeded(questionId);
  if (seals !== undefined && !(await isAsked(threadId, question, seals))) throw foreignQuestion(questionId);
  const reader = { threadId, seals, now, ignored: () => undefined };
  // Without seals, a stored answer cannot be verified.
  if (seals === undefined ? answers.length > 0 : await firstAnswer(question, answers, reader))
    throw noQuestion(questionId);
  const entry = { type: 'answer', questionId, answer, ...(by !== undefined && { by }), time: now() } as const;
  return sealAnswer(threadId, { question, answer: entry }, seals);
}
