import type { Seals } from '../base/seals.ts';
import type { AnswerEntry, QuestionEntry } from './entry.ts';
import { checkAnswer, letsRun, mayAnswer } from './question.ts';
import { ignoredAnswer } from './question-seals.ts';

/** Who looks at answers of a thread. */
export interface AnswerReader {
  readonly threadId: string;
  readonly seals: Seals | undefined;
  now(): number;
  /** Told why an answer does not count. */
  ignored(reason: string): void;
}

/** Longest time from an answer that lets a call run to the call, over interruptions. */
const lifetimeMs = 24 * 60 * 60 * 1_000;

/** The first answer that counts. */
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
    return 'it is no answer to what was asked';
  }
  if (!mayAnswer(question, by)) return 'it was given by somebody who may not';
  if (question.expiresAt !== undefined && time > question.expiresAt) return 'it came too late';
  if (letsRun(answer) && now() - time > lifetimeMs) return 'it was given more than a day ago';
  if (letsRun(answer) && time - now() > lifetimeMs) return 'it was given by a clock that is more than a day ahead';
  return ignoredAnswer(threadId, { question, answer: entry }, seals);
}
