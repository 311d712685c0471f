import type { AnswerEntry, QuestionEntry } from '../thread/entry.ts';
import type { QuestionAnswer } from '../thread/question.ts';
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
  /** Answers to a question that are stored after a position, and before another one if given. */
  answersTo(questionId: string, after: number, before?: number): Promise<readonly AnswerEntry[]>;
  /** Calls the listener after changes of the thread until the returned function is called. */
  watch(listener: () => void): () => void;
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
    async answersTo(questionId, after, before = Infinity) {
      const entries = await thread.after(after);
      return entries.flatMap(({ entry, position }) =>
        entry.type === 'answer' && entry.questionId === questionId && position < before ? [entry] : [],
      );
    },
    watch: thread.watch,
  };
}
