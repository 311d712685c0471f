/** Handling of background calls (`result({ detached })`) by a run. */
export interface DetachedOptions {
  /**
   * Milliseconds after which a run that only waits for background calls parks: it ends as `needs-results`, and `resume`
   * continues to wait, in any process. 0: at once. Requires a `thread` (`invalid_option`). Default: waits without
   * limit.
   */
  readonly parkAfterMs?: number;
}
