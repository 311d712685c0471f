import { afterTimeout } from '../../base/pauses.ts';
import type { AnswerEntry, StoredEntry } from '../../thread/entry.ts';
import type { RunThread } from '../run-thread.ts';

/** Answers stored while the run waits. Reads each entry once, however many questions wait. */
export interface AnswerLog {
  /** Passes each answer to a question that is stored after a position, until the returned function is called. */
  follow(questionId: string, after: number, tell: (answer: AnswerEntry) => void): () => void;
  /** Answers to a followed question, before a position. */
  before(questionId: string, position: number): Promise<readonly AnswerEntry[]>;
}

/** A followed question. */
interface Followed {
  /** Answers by position. */
  readonly answers: Map<number, AnswerEntry>;
  tell(answer: AnswerEntry): void;
}

/** Milliseconds before an unreadable thread is read again: a wait of weeks must survive a failure. */
const retryMs = 5_000;

export function createAnswerLog(thread: Pick<RunThread, 'after' | 'watch'>): AnswerLog {
  const followed = new Map<string, Followed>();
  let read = Infinity; // all entries up to this position
  let isOutdated = false;
  let reading: Promise<void> | undefined;
  let leave: () => void = () => undefined;
  let forget: () => void = () => undefined;

  /** Reads new entries. */
  function look(): Promise<void> {
    isOutdated = true;
    return (reading ??= readNew());
  }

  async function readNew(): Promise<void> {
    try {
      while (isOutdated && followed.size > 0) {
        isOutdated = false;
        const from = read;
        const entries = await thread.after(from);
        if (read === from) read = entries.at(-1)?.position ?? from; // otherwise someone waits for earlier entries by now
        for (const each of entries) tell(each);
      }
    } finally {
      reading = undefined;
    }
  }

  function tell({ entry, position }: StoredEntry): void {
    const question = entry.type === 'answer' ? followed.get(entry.questionId) : undefined;
    if (entry.type !== 'answer' || question?.answers.has(position) !== false) return;
    question.answers.set(position, entry);
    question.tell(entry);
  }

  function lookSoon(): void {
    forget();
    look().catch(() => (forget = afterTimeout(retryMs, lookSoon, { background: true })));
  }

  return {
    follow(questionId, after, tell) {
      followed.set(questionId, { answers: new Map(), tell });
      read = Math.min(read, after);
      if (followed.size === 1) leave = thread.watch(lookSoon);
      lookSoon();
      return () => {
        followed.delete(questionId);
        if (followed.size > 0) return;
        leave();
        forget();
        read = Infinity;
      };
    },
    async before(questionId, position) {
      await look();
      const answers = followed.get(questionId)?.answers ?? [];
      return [...answers].flatMap(([at, answer]) => (at < position ? [answer] : []));
    },
  };
}
