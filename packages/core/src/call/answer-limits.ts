/**
 * Limits on the part of a result that the model sees. The tool's own limit has priority, then the run's, then a share
 * of the context window.
 */
export interface AnswerLimits {
  /** In characters. */
  readonly outputLimit?: number | undefined;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  /** Instructions for reading the omitted part, if there is a tool for that. */
  readonly readBack?: string | undefined;
  /** Redacts text that the model must not see; before anything is cut, so that no fragment remains. */
  clean?(text: string): string;
}
