import type { Message } from '../../model/message.ts';
import type { Repeats } from './show-once.ts';

/** Of the context window: what a request may take, unless its answer needs more than the rest. */
const high = 0.9;

/** In tokens: a request that takes more is compacted. The answer gets half of the window at most. */
export function highMark(contextWindow: number, { maxOutputTokens = 0 }: RequestViewOptions): number {
  return Math.min(contextWindow * high, Math.max(contextWindow - maxOutputTokens, contextWindow / 2));
}

/** What is known of a request before it is made. All of it is optional; none of it is kept here. */
export interface RequestViewOptions {
  /** Default `first`, which keeps the beginnings of requests equal for the caches of providers. */
  readonly repeats?: Repeats | undefined;
  /** Shows the contents of a whole history once, and knows it from the request before: see `createOnceView`. */
  readonly showAll?: ((messages: readonly Message[]) => readonly Message[]) | undefined;
  /** In tokens. A request that takes more than 90 % of it, or leaves less than the answer needs, is compacted by a third. */
  readonly contextWindow?: number | undefined;
  /** What the answer may take, in tokens. Default: what is left of the window. */
  readonly maxOutputTokens?: number | undefined;
  /** What a request has beside its messages, in tokens as estimated: instructions and tools. Default 0. */
  readonly besideTokens?: number | undefined;
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
