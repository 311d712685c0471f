/** Limits of a run. At a limit the model gets one last turn without tools, to answer from the results so far. */
export interface RunLimits {
  /** Turns of the model; inner runs count their own. Default: 50. */
  readonly steps?: number;
  /**
   * Wall time in milliseconds, not counting time that questions wait for answers. Running tools are cancelled; the last
   * turn gets 30 seconds. Default: none.
   */
  readonly timeMs?: number;
  /** Input and output tokens together, of this run and all inner runs. Default: none. */
  readonly tokens?: number;
  /**
   * US dollars, as billed by the vendor or computed from the model's price, for this run and all inner runs. Refused at
   * the start for a model that has no price and does not report its cost. Default: none.
   */
  readonly cost?: number;
  /** Maximum number of repetitions of a call with the same result; 0: no limit. Default: 4. */
  readonly repeats?: number;
  /**
   * Maximum number of consecutive retries of a turn after transient failures: the server is busy or unreachable, or its
   * stream ends early. 0: no retries. Default: 5, over about 15 seconds, or as the server asks, up to a minute each.
   */
  readonly retries?: number;
  /** Maximum number of concurrent calls, at least 1. Default: 16. */
  readonly concurrency?: number;
  /**
   * Time limit of a tool in milliseconds, unless it sets its own; time that people take to answer does not count. 0: no
   * limit. Default: 60,000.
   */
  readonly toolTimeMs?: number;
  /** Maximum characters of a result's text for the model, unless the tool sets its own. Default: 100,000. */
  readonly toolOutput?: number;
}

/**
 * The limit that was reached. `output-tokens`: the provider's own, for one turn. `repeats`: the model only repeated
 * itself. `budget`: there is no last turn.
 */
export type RunLimit = 'steps' | 'time' | 'tokens' | 'cost' | 'repeats' | 'output-tokens' | 'budget';
