import type { Message } from '../../model/message.ts';
import type { Repeats } from './show-once.ts';

/** Facts about a request before it is built. All are optional; none are stored here. */
export interface RequestViewOptions {
  /** Default: `first`, which keeps the beginnings of requests equal for the caches of providers. */
  readonly repeats?: Repeats | undefined;
  /** Shows each repeated content once; incremental for a growing history: see `createOnceView`. */
  readonly showAll?: ((messages: readonly Message[]) => readonly Message[]) | undefined;
  /** In tokens. A request that exceeds 90 % of it, or leaves less than the answer needs, is compacted by a third. */
  readonly contextWindow?: number | undefined;
  /** Maximum length of the answer in tokens. Default: the rest of the window. */
  readonly maxOutputTokens?: number | undefined;
  /** Estimated tokens of instructions and tools. Default: 0. */
  readonly besideTokens?: number | undefined;
  /** Provider's token count of the thread's last request, if there was one. */
  readonly lastInputTokens?: number | undefined;
  /** The cut from the last view. Default: computed from the messages alone. */
  readonly compactedBefore?: string | undefined;
  /** Description of the omitted messages. */
  readonly summary?: string | undefined;
  /**
   * Number of times that this prompt was refused as too long: 1 saves half of the characters of its results, 2 nine
   * tenths, 3 also all exchanges except the newest, and 4 all of its steps except the last.
   */
  readonly shrink?: number | undefined;
  /** Id of the last message of the refused prompt. Later results are shown in full. Default: the last message. */
  readonly shrunkAt?: string | undefined;
}

/** The messages that a request shows. */
export interface RequestView {
  readonly messages: readonly Message[];
  /** Id of the first message after the omitted ones, to pass on with the next request. */
  readonly compactedBefore?: string;
}
