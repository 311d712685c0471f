/** What a run does about calls that go on in the background (`result({ detached })`). */
export interface DetachedOptions {
  /**
   * Milliseconds after which a run parks that has answered and only waits for them: it ends as `needs-results`, and `resume` waits
   * on, in whichever process. 0: at once. Needs a `thread` (`invalid_option`). Default: it waits, however long.
   */
  readonly parkAfterMs?: number;
}
