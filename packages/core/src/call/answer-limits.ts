/** The part of a result that the model sees. The tool's own limit comes first, then the run's, then a share of the window. */
export interface AnswerLimits {
  /** In characters. */
  readonly outputLimit?: number | undefined;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  /** Says how to read what is left out, where there is a tool for that. */
  readonly readBack?: string | undefined;
  /** Takes out of a text what the model must not see; before anything is cut, that no part of it is left. */
  clean?(text: string): string;
}
