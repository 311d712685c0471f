import type { Question } from '../../thread/question.ts';

/** Answerers of a run's questions, and the time that it waits for them. */
export interface QuestionOptions {
  /** Names of the people who may answer, for all questions or for each. Default: everybody. */
  readonly answerers?: readonly string[] | ((question: Question) => readonly string[] | undefined);
  /** Milliseconds until a stored question expires without an answer, across processes. Default: never. */
  readonly expireAfterMs?: number;
  /**
   * Milliseconds after which a run that only waits for answers parks: it ends as `needs-approval` or `needs-input`, its
   * questions stay in its thread, and `resume` continues once they are answered. 0: at once. Requires a `thread`
   * (`invalid_option`). Default: waits without limit.
   */
  readonly parkAfterMs?: number;
}
