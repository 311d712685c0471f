import { isFollowed, openCalls } from '../model/history.ts';
import type { AnswerEntry, QuestionEntry } from './entry.ts';
import { messagesIn } from './messages.ts';
import { callOf, keyOf } from './question-place.ts';
import type { Question } from './question.ts';
import type { Thread, ThreadPage } from './thread.ts';

/** A question with the stored answers to it, of which perhaps none is valid. */
export interface AskedQuestion {
  readonly question: QuestionEntry;
  readonly answers: readonly AnswerEntry[];
  /** True if the call has begun since: an answer counts again only if that had no effect. */
  readonly isUsedUp?: true;
}

/**
 * Open questions of a thread, oldest first, whether its run is parked, interrupted, or active in any process. Answer
 * them with `answerQuestion`, or with `run.answer` if the run is in this process.
 *
 * @example
 * ```ts
 * import { createRegistry, defineTool, emptySettings, jsonSchema, memoryThread, openQuestions, resolveToolset, run } from '@utensil/core';
 * import { scriptedModel } from '@utensil/core/testing';
 *
 * const input = jsonSchema({ type: 'object' });
 * const send = defineTool({ name: 'send', description: 'Sends it.', input, effects: 'write', execute: () => 'sent' });
 * const toolset = resolveToolset(createRegistry([send]), emptySettings, {});
 * const thread = memoryThread('letter'); // or openThread(records, 'letter'), in whichever process
 * const model = scriptedModel([{ calls: [{ name: 'send' }] }]);
 * const questions = { parkAfterMs: 0 }; // it does not wait here
 * await run({ model, toolset, thread, messages: 'Send it.', policy: () => 'ask', questions }).result;
 *
 * const [question] = await openQuestions(thread);
 * if (question?.kind !== 'approval' || question.name !== 'send') throw new Error('unexpected');
 * ```
 */
export async function openQuestions(thread: Pick<Thread, 'read'>, now = Date.now()): Promise<readonly Question[]> {
  const asked = askedIn(await thread.read());
  const isOpen = ({ question, answers, isUsedUp }: AskedQuestion): boolean =>
    answers.length === 0 && isUsedUp !== true && !isExpired(question, now);
  return asked.filter(isOpen).map(({ question: { type: _, seal: __, ...question } }) => question);
}

/** True if the question has expired. */
export function isExpired({ expiresAt = Infinity }: Pick<Question, 'expiresAt'>, now: number): boolean {
  return now > expiresAt;
}

/**
 * Per call without a result: the latest question with all answers to it, and the latest one before the call began. A gap
 * may have had the beginning of a call after an answer to its recovery.
 */
export function askedIn(page: Pick<ThreadPage, 'entries' | 'draft' | 'lost'>): readonly AskedQuestion[] {
  if (!page.entries.some(({ entry }) => entry.type === 'question')) return [];
  const messages = messagesIn(page);
  const open = new Set(isFollowed(messages) ? [] : openCalls(messages).map(({ callId }) => callId));
  const last = messages.findLast(({ role }) => role === 'assistant')?.id;
  const asked = new Map<string, AskedQuestion & { readonly answers: AnswerEntry[] }>();
  const usedUp = new Map<string, AskedQuestion>();
  const { lost = [] } = page;
  let gap = 0;
  let isBegun = false; // calls of earlier turns may have the same ids
  for (const { entry, position } of page.entries) {
    passGaps(position);
    isBegun ||= 'message' in entry && entry.message.id === last;
    if (entry.type === 'question' && isBegun && open.has(callOf(entry))) ask(entry);
    if (entry.type === 'answer') answersTo(entry.questionId)?.push(entry);
    if (entry.type === 'call-begun' && entry.replay !== 'logged') useUp(keyOf(entry));
  }
  passGaps(Infinity);
  return [...usedUp.values(), ...asked.values()];

  function passGaps(before: number): void {
    for (; gap < lost.length && (lost[gap] ?? 0) <= before; gap++)
      for (const [key, { question, answers }] of asked)
        if (question.kind === 'recovery' && answers.length > 0) useUp(key);
  }

  function useUp(key: string): void {
    const found = asked.get(key);
    if (found !== undefined) usedUp.set(key, { ...found, isUsedUp: true });
    asked.delete(key);
  }

  /** Questions inside a call are obsolete once the call itself is asked about. */
  function ask(question: QuestionEntry): void {
    const { callId, parentCallId, path } = question;
    for (const [key, { question: inner }] of asked)
      if (parentCallId === undefined && path === undefined && callOf(inner) === callId) asked.delete(key);
    asked.set(keyOf(question), { question, answers: [] });
  }

  function answersTo(id: string): AnswerEntry[] | undefined {
    return [...asked.values()].find(({ question }) => question.id === id)?.answers;
  }
}
