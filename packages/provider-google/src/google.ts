import type { Model } from '@utensil/core';
import { type ModelInfoOptions, modelInfo, newCallId, withProviderResults, withSettings } from '@utensil/core/provider';
import { type Connection, connect } from './client.ts';
import { generateMapper } from './generate/request.ts';
import { api as generateApi } from './generate/state.ts';
import { resultsIn } from './generate/results.ts';
import { chunkReader } from './generate/stream.ts';
import { interactionsMapper } from './interactions/request.ts';
import { api as interactionsApi } from './interactions/state.ts';
import { resultFinder } from './interactions/results.ts';
import { eventReader } from './interactions/stream.ts';
import { generateSettings, interactionsSettings } from './settings.ts';
import { type GoogleWire, createModel } from './transport.ts';

/** Members of a client that `google` uses; the official SDK's `GoogleGenAI` has them, on any of Google's platforms. */
export interface GenerateClient {
  readonly models: {
    generateContentStream(parameters: {
      model: string;
      contents: { role: string; parts: [] }[];
      config: {
        abortSignal: AbortSignal;
        httpOptions: { extraBody: Record<string, unknown> };
      };
    }): PromiseLike<AsyncIterable<unknown>>;
  };
}

/** Members of a client that `googleInteractions` uses; the official SDK's `GoogleGenAI` has them. */
export interface InteractionsClient {
  readonly interactions: {
    create(
      body: { model: string; stream: true },
      options: { fetchOptions: { signal: AbortSignal }; maxRetries: number },
    ): PromiseLike<AsyncIterable<unknown>>;
  };
}

interface CommonOptions extends Connection, ModelInfoOptions {}

/** Options of {@link google}. */
export interface GoogleOptions extends CommonOptions {
  /** A client of your own, in place of one that is made of the other options. */
  readonly client?: GenerateClient;
  /** Ids for calls that came without. Default: random. */
  readonly newId?: () => string;
}

/** Options of {@link googleInteractions}. */
export interface GoogleInteractionsOptions extends CommonOptions {
  /** A client of your own, in place of one that is made of the other options. */
  readonly client?: InteractionsClient;
  /** True if Google stores the conversation, so that each request sends only new content. Default false. */
  readonly store?: boolean;
}

/**
 * A Gemini model over generateContent. The key is `apiKey`, or the environment variable GEMINI_API_KEY.
 *
 * @example
 * ```ts
 * import { google } from '@utensil/provider-google';
 *
 * const model = google('gemini-3.8-flash', { apiKey: 'the-key' });
 * ```
 */
export function google(modelId: string, options: GoogleOptions = {}): Model {
  const { client, contextWindow, price, info, newId, ...connection } = options;
  return generateModel(modelId, {
    options: { contextWindow, price, info, ...(newId && { newId }) },
    vendor: 'google',
    baseURL: connection.baseUrl,
    client: connect(client, connection, modelId),
  });
}

/** Server of a model over generateContent. */
export interface GenerateHost extends Pick<GoogleWire<GenerateClient>, 'client' | 'words'> {
  readonly options: ModelInfoOptions & Pick<GoogleOptions, 'newId'>;
  readonly vendor: string;
  readonly baseURL?: string | undefined;
}

/** A model over generateContent of a host. */
export function generateModel(modelId: string, { options, vendor, baseURL, client, words }: GenerateHost): Model {
  const { newId = newCallId, ...infoOptions } = options;
  const toRequest = generateMapper(modelId);
  return createModel<GenerateClient>({
    info: modelInfo({ api: generateApi, id: modelId, vendor, ...(baseURL && { baseURL }) }, infoOptions),
    client,
    ...(words && { words }),
    settings: generateSettings,
    async open({ models }, request, abortSignal) {
      // The SDK drops unknown members of parts and tools; extra members of the body are sent unchanged.
      const httpOptions = { extraBody: await withSettings(toRequest(request), generateSettings, request) };
      const contents: { role: string; parts: [] }[] = [{ role: 'user', parts: [] }];
      return models.generateContentStream({ model: modelId, contents, config: { abortSignal, httpOptions } });
    },
    reader: ({ tools }) => withProviderResults(chunkReader({ tools, newId }), resultsIn),
  });
}

/**
 * A Gemini model over the Interactions API, statelessly: Google stores nothing, unless `store` says so.
 *
 * @example
 * ```ts
 * import { googleInteractions } from '@utensil/provider-google';
 *
 * const model = googleInteractions('gemini-3.8-flash', { apiKey: 'the-key' });
 * ```
 */
export function googleInteractions(modelId: string, options: GoogleInteractionsOptions = {}): Model {
  const { client, contextWindow, price, info, store = false, ...connection } = options;
  const toRequest = interactionsMapper({ modelId, store });
  return createModel<InteractionsClient>({
    info: modelInfo({ api: interactionsApi, ...reference(modelId, connection) }, { contextWindow, price, info }),
    client: connect(client, connection, modelId),
    settings: interactionsSettings,
    async open({ interactions }, request, signal) {
      const { timeout } = connection; // the SDK drops it if there is a signal
      const bounded = timeout === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
      const body = await withSettings(toRequest(request), interactionsSettings, request);
      return interactions.create(body, { fetchOptions: { signal: bounded }, maxRetries: 0 });
    },
    reader: ({ tools }) => withProviderResults(eventReader({ tools, isStored: store }), resultFinder()),
  });
}

function reference(id: string, { baseUrl: baseURL }: Connection) {
  return { id, vendor: 'google', ...(baseURL && { baseURL }) };
}
