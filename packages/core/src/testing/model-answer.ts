import type { FinishReason } from '../model/model.ts';
import type { Usage } from '../model/usage.ts';

/** A vendor's answer, independent of any wire format: each provider's tests encode it in their own. */
export type ModelAnswer = StreamedAnswer | FailedAnswer;

/** A streamed answer. */
export interface StreamedAnswer {
  /** In order. Some wire formats separate calls from text; their encoders still write in this order. */
  readonly blocks: readonly AnswerBlock[];
  /** Default: `tool-calls` if there are calls, else `stop`, in the vendor's terms. */
  readonly reason?: FinishReason;
  /** Reported usage. Default: anything. */
  readonly usage?: Partial<Usage>;
  /**
   * State that the vendor needs back with the message, in its own place of the wire format: a signature, for example.
   */
  readonly state?: string;
  /** True to add unknown events, and an unknown member to each event. */
  readonly unknownEvents?: boolean;
  /** Replaces the end of the stream: see {@link BrokenEnd}. */
  readonly ends?: BrokenEnd;
}

/**
 * The connection breaks; the body ends but the answer does not; the vendor reports a failure of its own, which a retry may
 * survive; nothing more arrives.
 */
export type BrokenEnd = 'truncated' | 'without-end' | 'error' | 'hangs';

/** A part of an answer, in the fragments that it is streamed in. */
export type AnswerBlock =
  | { readonly type: 'text' | 'reasoning'; readonly deltas: readonly string[] }
  | {
      readonly type: 'call';
      /** The vendor's name of the tool. */
      readonly name: string;
      /** Arguments as JSON text. A wire that carries objects gets the parsed value; no fragments means `{}`. */
      readonly deltas: readonly string[];
    };

/** An error response. */
export interface FailedAnswer {
  /** May be 200. */
  readonly status: number;
  /** Text for the vendor's error body. */
  readonly message?: string;
  /** The conversation is too long; the vendor says so in its own way. */
  readonly isTooLong?: boolean;
  /** Delay in seconds, in the vendor's place for it: usually a header. */
  readonly retryAfter?: number;
  /** An HTML page sent instead of the vendor's error body. */
  readonly page?: string;
}
