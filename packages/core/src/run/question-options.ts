import type { Question } from '../thread/question.ts';

/** Who answers the questions of a run, and for how long it waits for them. */
export interface QuestionOptions {
  /** Names of those who may answer, for all questions or for each. Default: everybody. */
  readonly answerers?: readonly string[] | ((question: Question) => readonly string[] | undefined);
  /** Milliseconds from when a question is stored, over all processes, after which it is closed without an answer. Default: never. */
  readonly expireAfterMs?: number;
  /**
   * Milliseconds after which a run that only waits for answers parks: it ends as `needs-approval` or `needs-input`, its
   * questions stay in its thread, and `resume` goes on once they are answered. 0: at once. Needs a `thread` (`invalid_option`).
   * Default: it waits, however long.
   */
  readonly parkAfterMs?: number;
}
