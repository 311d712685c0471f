import { type Model, type ModelInfo, type ModelPart, type ModelRequest, UtensilError } from '@utensil/core';
import type { ClientOptions, OpenAI } from 'openai';
import { toModelError } from './errors.ts';

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
  return new OpenAI({ logLevel: 'off', ...connection });
}

/** The parts of an API that make a model of it. */
export interface Wire<AnyClient extends Client, Body, Event> {
  readonly info: ModelInfo;
  readonly client: () => Promise<AnyClient>;
  toRequest(request: ModelRequest): Body;
  open(client: AnyClient, body: Body, options: { readonly signal: AbortSignal }): PromiseLike<AsyncIterable<Event>>;
  fromEvents(events: AsyncIterable<Event>, request: ModelRequest): AsyncIterable<ModelPart>;
}

/** A model over the SDK: opens the stream, and makes errors of ours of whatever goes wrong. */
export function createModel<AnyClient extends Client, Body, Event>(wire: Wire<AnyClient, Body, Event>): Model {
  const { info } = wire;
  return {
    info,
    async *stream(request, { signal }) {
      let client: AnyClient | undefined;
      let isAnswering = false;
      try {
        signal.throwIfAborted();
        client = await wire.client();
        const events = await wire.open(client, wire.toRequest(request), { signal });
        isAnswering = true;
        for await (const part of wire.fromEvents(events, request)) {
          signal.throwIfAborted();
          yield part;
        }
      } catch (error) {
        throw toModelError(error, { modelId: info.id, signal, isAnswering, apiKey: client?.apiKey });
      }
    },
  };
}
