import type { JsonObject } from '../base/json.ts';
import { toJson } from '../base/json.ts';
import type { Seals } from '../base/seals.ts';
import type { AnswerEntry, QuestionEntry } from './entry.ts';
import { letsRun } from './question.ts';

/** Seals a question, if the app has a key. */
export async function sealQuestion(
  threadId: string,
  question: QuestionEntry,
  seals: Seals | undefined,
): Promise<QuestionEntry> {
  const seal = await seals?.make(ofQuestion(threadId, question)).catch(() => undefined);
  return seal === undefined ? question : { ...question, seal };
}

/** Seals an answer, if the app has a key. Rethrows the key's errors. */
export async function sealAnswer(
  threadId: string,
  { question, answer }: Answered,
  seals: Seals | undefined,
): Promise<AnswerEntry> {
  const seal = await seals?.make(ofAnswer(threadId, { question, answer }));
  return seal === undefined ? answer : { ...answer, seal };
}

/** A question with an answer to it. */
export interface Answered {
  readonly question: QuestionEntry;
  readonly answer: AnswerEntry;
}

/** True if the app asked exactly this question. */
export async function isAsked(threadId: string, question: QuestionEntry, seals: Seals): Promise<boolean> {
  return question.seal !== undefined && (await seals.fits(ofQuestion(threadId, question), question.seal));
}

/** Reason why a stored answer is invalid; undefined if it is valid. An answer that lets nothing run needs no proof. */
export async function ignoredAnswer(
  threadId: string,
  { question, answer }: Answered,
  seals: Seals | undefined,
): Promise<string | undefined> {
  if (!letsRun(answer.answer)) return undefined;
  if (seals === undefined || answer.seal === undefined)
    return 'it has no seal: the app has no key, or another program wrote it';
  try {
    const isWhole =
      (await isAsked(threadId, question, seals)) &&
      (await seals.fits(ofAnswer(threadId, { question, answer }), answer.seal));
    return isWhole
      ? undefined
      : 'its seal does not fit: another program wrote it or the question, or the key of the app is new';
  } catch {
    return 'its seal cannot be checked';
  }
}

function ofQuestion(threadId: string, { seal: _, ...question }: QuestionEntry): JsonObject {
  return { threadId, question: toJson(question) };
}

function ofAnswer(threadId: string, { question, answer: { seal: _, ...answer } }: Answered): JsonObject {
  return { threadId, question: question.seal ?? '', answer: toJson(answer) };
}
