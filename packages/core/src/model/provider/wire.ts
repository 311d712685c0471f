import type { Eventually } from '../../base/eventually.ts';
import type { ModelInfo, ModelPart, ModelRequest } from '../model.ts';
import type { ClassifiedError, ErrorClassifier } from './classify.ts';

/** Reads the events of one turn. */
export interface TurnReader<Event = unknown> {
  /** Parts produced by an event. Throws errors that the vendor reports in the stream. */
  read(event: Event): readonly ModelPart[];
  /**
   * `begun` once there is an answer; `whole` once nothing more is expected, so that the way the connection ends does
   * not matter.
   */
  progress(): 'none' | 'begun' | 'whole';
  /** Parts that close a complete answer. */
  end(): Eventually<readonly ModelPart[]>;
}

/** The wire-specific parts of an adapter: requests, readers, and classification of errors. */
export interface Wire<Event, Client = undefined> {
  readonly info: ModelInfo;
  /** Terms for the braces in failure texts: where the `{key}` is set, and the `{address}`. */
  readonly words: Readonly<Record<string, string>>;
  /** Redacted from every error. Default: the client's `apiKey`. */
  readonly apiKey?: unknown;
  /** Creates or loads a client. Default: none, as for `fetch`. */
  connect?(): Eventually<Client>;
  /**
   * Sends a request in which the schema of each tool is a single object: unions are merged, and explained in the
   * description. `signal` fires when that of the turn fires, and when the turn is over before the stream has ended.
   */
  open(
    request: ModelRequest,
    context: { readonly client: Client; readonly signal: AbortSignal },
  ): PromiseLike<AsyncIterable<Event>>;
  /** Creates a reader for the answer to a request. */
  reader(request: ModelRequest): TurnReader<Event>;
  /** Classifies a thrown value. Providers that must stay small load this on the first failure. */
  readonly classifyError: ErrorClassifier<Eventually<ClassifiedError>>;
}
