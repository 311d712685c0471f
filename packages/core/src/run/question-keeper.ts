import type { AnswerEntry, QuestionEntry } from '../thread/entry.ts';
import type { QuestionAnswer } from '../thread/question.ts';
import { createAnswerLog } from './answer-log.ts';
import type { AnswerLog } from './answer-log.ts';
import type { RunThread } from './run-thread.ts';

/** Gives an answer to a question that waits here. Throws at once if it does not fit, or this person may not give it. */
export type Answering = (answer: QuestionAnswer, by?: string) => void;

/** Where the questions of a run, and of those inside it, are kept: the thread of the outermost one. */
export interface QuestionKeeper {
  readonly threadId: string;
  /** Stores it behind the turn that it is about, and gives its position. */
  store(entry: QuestionEntry | AnswerEntry): Promise<number>;
  /** Position of the last entry that the run knows of. */
  last(): number;
  readonly answers: AnswerLog;
}

/** `until`: waits until the turn that made a call is stored. */
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
