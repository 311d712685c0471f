import { type Model, type ModelInfo, type ModelPart, type ModelRequest, UtensilError } from '@utensil/core';
import type { ClientOptions, OpenAI } from 'openai';
import { toError, wordsWith } from './errors.ts';
import { outspoken } from './fetch.ts';

/** How the official SDK, the package `openai`, reaches its server. */
export interface Connection extends Readonly<
  Pick<
    ClientOptions,
    | 'apiKey'
    | 'baseURL'
    | 'organization'
    | 'maxRetries'
    | 'timeout'
    | 'fetch'
    | 'defaultHeaders'
    | 'dangerouslyAllowBrowser'
  >
> {}

/** What every client has: its key, so that no message repeats it. */
export interface Client {
  readonly apiKey?: string | null;
}

/** The client that was passed, or else one that is made when it is first needed. */
export function connect<Given extends Client>(
  given: Given | undefined,
  connection: Connection,
): () => Promise<Given | OpenAI> {
  let made: Promise<OpenAI> | undefined;
  return async function client() {
    if (given !== undefined) return given;
    made ??= create(connection);
    try {
      return await made;
    } catch (error) {
      made = undefined; // a key may be there the next time
      throw error;
    }
  };
}

async function create(connection: Connection): Promise<OpenAI> {
  const { OpenAI } = await import('openai').catch((cause: unknown) => {
    throw new UtensilError('model_failed', 'The package `openai` cannot be loaded: npm install openai.', { cause });
  });
  // It would print parts of a broken stream on the console; what it has to say is thrown anyway.
  return new OpenAI({ logLevel: 'off', ...connection, fetch: outspoken(connection.fetch ?? fetch) });
}

/** Reads the events of one turn. */
export interface TurnReader<Event> {
  /** The parts that an event brings. Throws what the vendor reports in it. */
  read(event: Event): readonly ModelPart[];
  /** The parts that stand at the end of the stream. Throws where the answer had not ended. */
  end(): readonly ModelPart[];
  /** Whether the answer is whole: then it is no matter whether the end of the connection was in order. */
  isWhole(): boolean;
}

/** The parts of an API that make a model of it. */
export interface Wire<AnyClient extends Client, Body, Event> {
  readonly info: ModelInfo;
  readonly client: () => Promise<AnyClient>;
  /** For errors: where the key is, if not where `openai` looks for it. */
  readonly keyPlace?: string;
  toRequest(request: ModelRequest): Body | Promise<Body>;
  open(client: AnyClient, body: Body, options: { readonly signal: AbortSignal }): PromiseLike<AsyncIterable<Event>>;
  reader(request: ModelRequest): TurnReader<Event>;
}

/** A model over the SDK: opens the stream, and makes errors of ours of whatever goes wrong. */
export function createModel<AnyClient extends Client, Body, Event>(wire: Wire<AnyClient, Body, Event>): Model {
  return {
    info: wire.info,
    stream: (request, { signal }) => ({ [Symbol.asyncIterator]: () => iterate(wire, request, signal) }),
  };
}

/** The parts of a turn. An iterator by hand: a generator's keeps several promises for each part. */
function iterate<AnyClient extends Client, Body, Event>(
  wire: Wire<AnyClient, Body, Event>,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncIterator<ModelPart> {
  const { read, end, isWhole } = wire.reader(request);
  let client: AnyClient | undefined;
  let events: AsyncIterator<Event> | undefined;
  let parts: readonly ModelPart[] = [];
  let taken = 0;
  let isOver = false;

  async function open(): Promise<AsyncIterator<Event>> {
    signal.throwIfAborted();
    client = await wire.client();
    const body = await wire.toRequest(request);
    const stream = await wire.open(client, body, { signal });
    return stream[Symbol.asyncIterator]();
  }

  function finish(last: readonly ModelPart[]): void {
    isOver = true;
    parts = last;
    taken = 0;
  }

  async function fail(thrown: unknown): Promise<never> {
    const isAnswering = events !== undefined;
    finish([]);
    await events?.return?.().catch(() => undefined); // what went wrong first is told
    throw await toError(thrown, {
      modelId: wire.info.id,
      signal,
      isAnswering,
      apiKey: client?.apiKey,
      words: wordsWith(wire.keyPlace),
    });
  }

  async function next(): Promise<IteratorResult<ModelPart>> {
    try {
      while (taken === parts.length && !isOver) {
        events ??= await open();
        const { done, value } = await events.next();
        if (done === true) finish(end());
        else {
          parts = read(value);
          taken = 0;
        }
      }
      if (taken === parts.length) return { done: true, value: undefined };
      signal.throwIfAborted();
      return { done: false, value: parts[taken++] as ModelPart };
    } catch (error) {
      if (signal.aborted || isOver || !isWhole()) return fail(error);
      finish(end()); // only the end of the connection was not in order
      return next();
    }
  }

  return {
    next,
    async return() {
      finish([]);
      await events?.return?.();
      return { done: true, value: undefined };
    },
  };
}
