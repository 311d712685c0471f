import type { Seals } from '../base/seals.ts';
import type { AnswerEntry, QuestionEntry } from './entry.ts';
import { checkAnswer, letsRun, mayAnswer } from './question.ts';
import { ignoredAnswer } from './question-seals.ts';

/** Context for the validation of answers. */
export interface AnswerReader {
  readonly threadId: string;
  readonly seals: Seals | undefined;
  now(): number;
  /** Called with the reason if an answer is invalid. */
  ignored(reason: string): void;
}

/** Maximum time between an answer that lets a call run and the call, across interruptions. */
const lifetimeMs = 24 * 60 * 60 * 1_000;

/** The first valid answer. */
export async function firstAnswer(
  question: QuestionEntry,
  answers: readonly AnswerEntry[],
  reader: AnswerReader,
): Promise<AnswerEntry | undefined> {
  for (const answer of answers) {
    const reason = await whyIgnored(question, answer, reader);
    if (reason === undefined) return answer;
    reader.ignored(reason);
  }
  return undefined;
}

async function whyIgnored(
  question: QuestionEntry,
  entry: AnswerEntry,
  { threadId, seals, now }: AnswerReader,
): Promise<string | undefined> {
  const { answer, by, time } = entry;
  if (answer === 'closed') return undefined;
  try {
    checkAnswer(question, { answer });
  } catch {
    return 'it does not answer the question';
  }
  if (!mayAnswer(question, by)) return 'it was given by somebody who may not';
  if (question.expiresAt !== undefined && time > question.expiresAt) return 'it came too late';
  if (letsRun(answer) && now() - time > lifetimeMs) return 'it was given more than a day ago';
  if (letsRun(answer) && time - now() > lifetimeMs) return 'it was given by a clock that is more than a day ahead';
  return ignoredAnswer(threadId, { question, answer: entry }, seals);
}
