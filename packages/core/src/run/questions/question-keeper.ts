import type { AnswerEntry, QuestionEntry } from '../../thread/entry.ts';
import type { QuestionAnswer } from '../../thread/question.ts';
import { createAnswerLog } from './answer-log.ts';
import type { AnswerLog } from './answer-log.ts';
import type { RunThread } from '../run-thread.ts';

/**
 * Answers a pending question of this process. Throws at once if the answer is invalid, or this person may not give it.
 */
export type Answering = (answer: QuestionAnswer, by?: string) => void;

/** Stores the questions of a run and its inner runs in the thread of the outermost run. */
export interface QuestionKeeper {
  readonly threadId: string;
  /** Stores it after its turn, and returns its position. */
  store(entry: QuestionEntry | AnswerEntry): Promise<number>;
  /** Position of the last known entry. */
  last(): number;
  readonly answers: AnswerLog;
}

/** `until` waits until the turn that made a call is stored. */
export function createQuestionKeeper(thread: RunThread, until: (callId: string) => Promise<void>): QuestionKeeper {
  return {
    threadId: thread.id,
    async store(entry) {
      if (entry.type === 'question') await until(entry.path?.[0] ?? entry.callId);
      return thread.note(entry);
    },
    last: thread.last,
    answers: createAnswerLog(thread),
  };
}
