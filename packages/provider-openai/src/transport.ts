import type { Model, ModelInfo, ModelRequest } from '@utensil/core';
import {
  type TurnReader,
  type WireSettings,
  once,
  loadPeer,
  modelOver,
  surfaceErrors,
  takenBy,
  withSettings,
} from '@utensil/core/provider';
import type { ClientOptions, OpenAI } from 'openai';
import type { TextOptions } from './body-text.ts';
import type { askOwn } from './own-client.ts';

/** Connection of the official SDK, the package `openai`, to its server. */
export interface Connection extends Readonly<
  Pick<
    ClientOptions,
    'apiKey' | 'baseURL' | 'organization' | 'timeout' | 'fetch' | 'defaultHeaders' | 'dangerouslyAllowBrowser'
  >
> {}

/**
 * Properties of every client: its key, so that no message repeats it, and its address, by which models are looked up.
 */
export interface Client {
  readonly apiKey?: string | null;
  readonly baseURL?: string;
}

/** The client that was passed, or else one that is made when it is first needed. */
export function connect<Given extends Client>(
  given: Given | undefined,
  connection: Connection,
): () => Promise<Given | OpenAI> {
  return given === undefined ? once(() => create(connection)) : () => Promise.resolve(given);
}

async function create(connection: Connection): Promise<OpenAI> {
  const [{ OpenAI }, { askOwn }] = await Promise.all([
    loadPeer('openai', () => import('openai')),
    import('./own-client.ts'),
  ]);
  const careful = surfaceErrors(
    connection.fetch ?? fetch,
    async () => (await import('./failures.ts')).misreadResponses,
  );
  // It would print parts of a broken stream on the console; what it has to say is thrown anyway.
  const client = new OpenAI({ logLevel: 'off', ...connection, fetch: careful });
  ownClients.set(client, askOwn);
  return client;
}

/** Clients created here. An app's own client gets the object and is read by the SDK's stream: it may be instrumented, and Azure's rejects a text. */
const ownClients = /* @__PURE__ */ new WeakMap<object, typeof askOwn>();

/** Options of one request. */
export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly maxRetries: number;
  /** The text to send in place of the body. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The parts of an API that make a model of it. */
export interface OpenAIWire<AnyClient extends Client, Body extends object, Event> {
  readonly info: ModelInfo;
  readonly client: () => Promise<AnyClient>;
  /** For errors: where the key is, if not where `openai` looks for it. */
  readonly keyPlace?: string;
  readonly settings: WireSettings;
  toRequest(request: ModelRequest): Body | Promise<Body>;
  open(client: AnyClient, body: Body, options: RequestOptions): PromiseLike<AsyncIterable<Event>>;
  reader(request: ModelRequest): TurnReader<Event>;
}

/** A model over the SDK. */
export function createModel<AnyClient extends Client, Body extends object, Event>(
  wire: OpenAIWire<AnyClient, Body, Event>,
): Model {
  const { client, keyPlace, settings, toRequest, open, reader } = wire;
  const info = {
    ...wire.info,
    supports: { ...wire.info.supports, settings: takenBy(settings), partOptions: true as const },
  };
  return modelOver<Event, AnyClient>({
    info,
    words: wordsWith(keyPlace),
    connect: client,
    open: async (request, { client: connected, signal }) => {
      const body = await withSettings(await toRequest(request), settings, request);
      const ask = (text?: TextOptions): PromiseLike<AsyncIterable<Event>> =>
        open(connected, body, { signal, maxRetries: 0, ...text }); // runs retry, and report it
      return ownClients.get(connected)?.(ask, body, request) ?? ask();
    },
    reader,
    classifyError: async (thrown, phase) => (await import('./failures.ts')).classifyError(thrown, phase),
  });
}

/** Sources of the key and the address. */
export function wordsWith(key = 'OPENAI_API_KEY or the option `apiKey`') {
  return { key, address: 'the option `baseURL`' };
}
