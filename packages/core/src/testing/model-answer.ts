import type { FinishReason } from '../model/model.ts';
import type { Usage } from '../model/usage.ts';

/** What a vendor answers, in nobody's wire format: the tests of a provider write it in theirs. */
export type ModelAnswer = StreamedAnswer | FailedAnswer;

/** An answer that streams. */
export interface StreamedAnswer {
  /** In order. Some wire formats keep calls apart from text; their encoders still write in this order. */
  readonly blocks: readonly AnswerBlock[];
  /** Default: `tool-calls` where there are calls, else `stop`, each in the vendor's word for it. */
  readonly reason?: FinishReason;
  /** What the vendor counts. Default: whatever it likes. */
  readonly usage?: Partial<Usage>;
  /** What the vendor wants back with the message, in the place that its wire format has for such: a signature, say. */
  readonly state?: string;
  /** Between its events are some that nobody knows, and in each a member that nobody knows. */
  readonly unknownEvents?: boolean;
  /** Behind the blocks, instead of the end: see {@link BrokenEnd}. */
  readonly ends?: BrokenEnd;
}

/** The connection breaks; the body ends properly, the answer does not; the vendor reports an error; nothing comes. */
export type BrokenEnd = 'truncated' | 'without-end' | 'error' | 'hangs';

/** A part of an answer, in the pieces in which it is streamed. */
export type AnswerBlock =
  | { readonly type: 'text' | 'reasoning'; readonly deltas: readonly string[] }
  | {
      readonly type: 'call';
      /** As the vendor knows the tool. */
      readonly name: string;
      /** The arguments as JSON text. Where the wire carries an object, this is their JSON; none at all is `{}`. */
      readonly deltas: readonly string[];
    };

/** An answer that is none. */
export interface FailedAnswer {
  /** May be 200. */
  readonly status: number;
  /** In the vendor's error body. */
  readonly message?: string;
  /** The conversation is too long; the vendor says so in its own words. */
  readonly isTooLong?: boolean;
  /** In seconds, where the vendor says it: a header, mostly. */
  readonly retryAfter?: number;
  /** A page that is sent instead of the vendor's error body, as `text/html`. */
  readonly page?: string;
}
