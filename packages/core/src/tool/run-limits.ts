/** When a run ends by itself. At a limit the model gets one last turn without tools, to answer from what it has. */
export interface RunLimits {
  /** Turns of the model; runs inside count their own. Default 50. */
  readonly steps?: number;
  /**
   * Wall time in milliseconds, without that in which a question waits for its answer. Tools that still run are cancelled; the last
   * turn has 30 seconds. Default: none.
   */
  readonly timeMs?: number;
  /** Input and output tokens together, of this run and all inside it. Default: none. */
  readonly tokens?: number;
  /**
   * US dollars, as the vendor billed them or by the price of the model, for this run and all inside it. Refused at the start for
   * a model that has no price and does not report its cost. Default: none.
   */
  readonly cost?: number;
  /** Maximum number of repetitions of a call that gave the same result each time; 0: none. Default 4. */
  readonly repeats?: number;
  /**
   * Times in a row that a turn of the model is asked for again if it fails in passing: the server is busy or cannot be
   * reached, or its answer breaks off. 0: none. Default 5, over about 15 seconds, or as the server asks, up to a minute each.
   */
  readonly retries?: number;
  /** Calls that run at once, one at least. Default 16. */
  readonly concurrency?: number;
  /** Milliseconds a tool may take where it says nothing itself, without those that people take to answer; 0: no limit. Default 60,000. */
  readonly toolTimeMs?: number;
  /** Characters of a result's text that the model sees, where the tool says nothing itself. Default 100,000. */
  readonly toolOutput?: number;
}

/**
 * Which limit was reached. `output-tokens` is the provider's own for one turn; `repeats`: the model only repeated itself; with
 * `budget` there is no last turn.
 */
export type RunLimit = 'steps' | 'time' | 'tokens' | 'cost' | 'repeats' | 'output-tokens' | 'budget';
