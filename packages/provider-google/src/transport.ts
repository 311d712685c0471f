import { type Model, type ModelInfo, type ModelPart, type ModelRequest, isObject, isUtensilError } from '@utensil/core';
import { abortedError } from '@utensil/core/provider';
import { toError } from './errors.ts';
import { type Attempt, words } from './attempt.ts';

/** Reads the events of one turn. */
export interface TurnReader {
  /** The parts that an event brings. Throws what the vendor reports in it. */
  read(event: unknown): readonly ModelPart[];
  /** The parts that stand at the end of the stream. Throws where the answer had not ended. */
  end(): readonly ModelPart[] | Promise<readonly ModelPart[]>;
  /** Whether the answer is whole: then it is no matter whether the end of the connection was in order. */
  isWhole(): boolean;
}

/** The parts of an API that make a model of it. */
export interface Wire<Client> {
  readonly info: ModelInfo;
  /** How often to ask again. */
  readonly maxRetries: number;
  readonly client: () => Promise<Client>;
  open(client: Client, request: ModelRequest, signal: AbortSignal): PromiseLike<AsyncIterable<unknown>>;
  reader(request: ModelRequest): TurnReader;
}

/** A model over the SDK: opens the stream, and makes errors of ours of whatever goes wrong. */
export function createModel<Client>(wire: Wire<Client>): Model {
  return {
    info: wire.info,
    async *stream(request, { signal }) {
      const attempt = {
        modelId: wire.info.id,
        signal,
        phase: 'connecting' as Attempt['phase'],
        apiKey: undefined as unknown,
        words,
      };
      // The SDK lets go of a stream that is left early, but does not close its connection: this does.
      const connection = new AbortController();
      const abort = () => connection.abort(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      try {
        signal.throwIfAborted();
        const client = await wire.client();
        // It keeps its key to itself, but only as far as types go.
        attempt.apiKey = isObject(client) ? client['apiKey'] : undefined;
        attempt.phase = 'asking';
        const events = await open(wire, () => wire.open(client, request, connection.signal), attempt);
        attempt.phase = 'answering';
        for await (const part of partsOf(events, wire.reader(request))) {
          signal.throwIfAborted(); // what had come already does not hold an abort up
          yield part;
        }
      } catch (thrown) {
        if (signal.aborted) throw abortedError(attempt.modelId, signal);
        throw isUtensilError(thrown) ? thrown : await toError(thrown, attempt);
      } finally {
        signal.removeEventListener('abort', abort);
        connection.abort();
      }
    },
  };
}

async function open<Client>(
  { maxRetries }: Wire<Client>,
  ask: () => PromiseLike<AsyncIterable<unknown>>,
  attempt: Attempt,
): Promise<AsyncIterable<unknown>> {
  try {
    return await ask();
  } catch (thrown) {
    const { askAgain } = await import('./failures.ts');
    return askAgain(thrown, { ask, maxRetries, attempt });
  }
}

async function* partsOf(events: AsyncIterable<unknown>, { read, end, isWhole }: TurnReader) {
  try {
    for await (const event of events) yield* read(event);
  } catch (error) {
    if (!isWhole()) throw error; // else only the end of the connection was not in order
  }
  yield* await end();
}
