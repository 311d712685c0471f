import type { Message } from '../../model/message.ts';
import type { Repeats } from './show-once.ts';

/** Of the context window: a request that takes more is compacted. */
export const high = 0.9;

/** What is known of a request before it is made. All of it is optional; none of it is kept here. */
export interface RequestViewOptions {
  /** Default `first`, which keeps the beginnings of requests equal for the caches of providers. */
  readonly repeats?: Repeats | undefined;
  /** In tokens. A history that takes more than 90 % of it is compacted to 60 %. */
  readonly contextWindow?: number | undefined;
  /** What the provider counted for the last request of this thread, if there was one. */
  readonly lastInputTokens?: number | undefined;
  /** As it came with the last view. Without it the cut is the one that follows from the messages alone. */
  readonly compactedBefore?: string | undefined;
  /** What is told of the messages that are left out. */
  readonly summary?: string | undefined;
  /**
   * How often this prompt was refused as too long: 1 saves half of the characters of its results, 2 nine tenths, 3 all
   * exchanges but the newest one too, and 4 all of its steps but the last.
   */
  readonly shrink?: number | undefined;
  /** The id of the last message of the prompt that was refused. Results behind it are shown whole. Default: the last one. */
  readonly shrunkAt?: string | undefined;
}

/** The messages that a request shows. */
export interface RequestView {
  readonly messages: readonly Message[];
  /** The id of the first message behind those that are left out: to be given with the next request. */
  readonly compactedBefore?: string;
}
