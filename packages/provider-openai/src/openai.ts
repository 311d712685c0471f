import type { Model } from '@utensil/core';
import { type ModelInfoOptions, modelInfo, newCallId, withProviderResults } from '@utensil/core/provider';
import type { ResponseCreateParamsStreaming, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { type ChatClient, openChat } from './chat/open-chat.ts';
import { chatMapper } from './chat/request.ts';
import { chunkReader } from './chat/stream.ts';
import { type ResponsesSettings, responsesMapper } from './responses/request.ts';
import { resultsIn } from './responses/results.ts';
import { eventReader } from './responses/stream.ts';
import { searchesTools } from './responses/tools.ts';
import { chatSettings, responsesSettings } from './settings.ts';
import { type Strictness, withStrictTools } from './strict-mapper.ts';
import { type Client, type Connection, type RequestOptions, connect, createModel } from './transport.ts';

/** Members of a client that `openai` uses; the official SDK's client has them. */
export interface ResponsesClient extends Client {
  readonly responses: {
    create(
      body: ResponseCreateParamsStreaming,
      options: RequestOptions,
    ): PromiseLike<AsyncIterable<ResponseStreamEvent>>;
  };
}

/** Options of {@link openai}. */
export interface OpenAIOptions
  extends
    Connection,
    ModelInfoOptions,
    Pick<ResponsesSettings, 'reasoningSummary' | 'toolSearch'>,
    Pick<Strictness, 'strict'> {
  /** A client of your own, in place of one that is made of the other options. */
  readonly client?: ResponsesClient;
}

/** Options of {@link openaiChat}. */
export interface OpenAIChatOptions extends Connection, ModelInfoOptions, Pick<Strictness, 'strict'> {
  /** A client of your own, in place of one that is made of the other options. */
  readonly client?: ChatClient;
  /**
   * True if recordings (WAV and MP3) are sent as audio, which other models refuse. Default: if `modelId` has `audio` in
   * it.
   */
  readonly audioInput?: boolean;
  /** Ids for calls that a compatible server gave none. Default: random. */
  readonly newId?: () => string;
}

/**
 * A model of OpenAI's over the Responses API, statelessly: OpenAI stores nothing.
 *
 * @example
 * ```ts
 * import { openai } from '@utensil/provider-openai';
 *
 * const model = openai('gpt-5.6', { apiKey: 'the-key', reasoningSummary: 'auto' });
 * ```
 */
export function openai(modelId: string, options: OpenAIOptions = {}): Model {
  const { client, contextWindow, price, info, reasoningSummary, strict, toolSearch, ...connection } = options;
  const settings = { modelId, toolSearch, ...(reasoningSummary && { reasoningSummary }) };
  const toRequest = withStrictTools({ modelId, strict }, (schemaOf) => responsesMapper({ ...settings, schemaOf }));
  return createModel({
    info: modelInfo(
      { api: 'openai-responses', ...reference(modelId, connection.baseURL ?? client?.baseURL) },
      { contextWindow, price, info },
      { supports: { deferredTools: searchesTools(settings) } },
    ),
    client: connect<ResponsesClient>(client, connection),
    settings: responsesSettings(modelId),
    toRequest,
    open: ({ responses }, body, options) => responses.create(body, options),
    reader: ({ tools }) => withProviderResults(eventReader({ tools }), resultsIn),
  });
}

/**
 * A model over the Chat Completions API, for OpenAI's older models.
 *
 * @example
 * ```ts
 * import { openaiChat } from '@utensil/provider-openai';
 *
 * const model = openaiChat('gpt-4.1', { apiKey: 'the-key' });
 * ```
 */
export function openaiChat(modelId: string, options: OpenAIChatOptions = {}): Model {
  const { client, contextWindow, price, info, strict, audioInput, newId = newCallId, ...connection } = options;
  const toRequest = withStrictTools({ modelId, strict }, (schemaOf) => chatMapper({ modelId, schemaOf, audioInput }));
  return createModel({
    info: modelInfo(
      { api: 'openai-chat', ...reference(modelId, connection.baseURL ?? client?.baseURL) },
      { contextWindow, price, info },
    ),
    client: connect<ChatClient>(client, connection),
    settings: chatSettings(modelId),
    toRequest,
    open: openChat,
    reader: ({ tools }) => chunkReader({ tools, newId }),
  });
}

function reference(id: string, baseURL: string | undefined) {
  return { id, vendor: 'openai', ...(baseURL && { baseURL }) };
}
