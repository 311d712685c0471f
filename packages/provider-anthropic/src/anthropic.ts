import type { Anthropic, ClientOptions } from '@anthropic-ai/sdk';
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import type { Model, UtensilError } from '@utensil/core';
import {
  type ModelInfoOptions,
  type WireSettings,
  once,
  loadPeer,
  modelInfo,
  modelOver,
  surfaceErrors,
  takenBy,
  withProviderResults,
  withSettings,
} from '@utensil/core/provider';
import { requestMemory, toRequest, usualMaxTokens } from './request.ts';
import { resultsIn } from './results.ts';
import { settings as wireSettings } from './settings.ts';
import { api } from './state.ts';
import { eventReader } from './stream.ts';
import type { ToolSettings } from './tools.ts';

/** Members that this package uses of a client: the official one, one for another platform, or your own. */
export interface AnthropicClient {
  readonly apiKey?: string | null;
  readonly baseURL?: string;
  readonly messages: {
    create(
      body: MessageCreateParamsStreaming,
      options: { signal: AbortSignal; maxRetries: number },
    ): PromiseLike<AsyncIterable<unknown>>;
  };
}

/** Connection options of the official client, if no client is given. */
export type AnthropicConnection = Pick<
  ClientOptions,
  'apiKey' | 'baseURL' | 'dangerouslyAllowBrowser' | 'defaultHeaders' | 'fetch' | 'timeout'
>;

/** Options of {@link anthropic}. */
export interface AnthropicOptions extends AnthropicConnection, ToolSettings, ModelInfoOptions {
  /** Your own client, instead of the connection options. */
  readonly client?: AnthropicClient | undefined;
  /** In tokens, where a request does not say. Default 32,000. */
  readonly maxOutputTokens?: number | undefined;
}

/**
 * A model of Anthropic, over the Messages API. The key is `apiKey`, or the environment variable ANTHROPIC_API_KEY.
 *
 * @example
 * ```ts
 * import { anthropic } from '@utensil/provider-anthropic';
 *
 * const model = anthropic('claude-sonnet-5-5', { maxOutputTokens: 8_000 });
 * ```
 */
export function anthropic(modelId: string, options: AnthropicOptions = {}): Model {
  const { client, contextWindow, price, info, cache, strict, eagerInput, ...rest } = options;
  const { programmaticCalls, toolSearch, maxOutputTokens, ...connection } = rest;
  const baseURL = connection.baseURL ?? client?.baseURL;
  const common = {
    contextWindow,
    price,
    info,
    cache,
    strict,
    eagerInput,
    programmaticCalls,
    toolSearch,
    maxOutputTokens,
  };
  return modelAt(modelId, common, {
    vendor: 'anthropic',
    baseURL,
    words,
    apiKey: connection.apiKey,
    settings: wireSettings,
    connect: once(async () => client ?? connect(modelId, connection)),
  });
}

/** Options that models have wherever they are hosted. */
export interface HostedOptions extends ToolSettings, ModelInfoOptions, Pick<AnthropicOptions, 'maxOutputTokens'> {}

/** Server of a model. */
export interface Host {
  readonly vendor: string;
  readonly baseURL?: string | undefined;
  readonly words: Readonly<Record<string, string>>;
  readonly apiKey?: unknown;
  readonly settings: WireSettings;
  connect(): Promise<AnthropicClient>;
  /** Changes a body to one that this host takes. */
  readonly adapt?: (body: MessageCreateParamsStreaming) => MessageCreateParamsStreaming;
}

/** A model over the Messages API of a host. */
export function modelAt(modelId: string, options: HostedOptions, host: Host): Model {
  const {
    maxOutputTokens = usualMaxTokens,
    cache,
    strict,
    eagerInput,
    programmaticCalls,
    toolSearch,
    contextWindow,
    price,
    info,
  } = options;
  const settings = { modelId, maxOutputTokens, cache, strict, eagerInput, toolSearch };
  const memory = requestMemory();
  const { vendor, baseURL, adapt } = host;
  return modelOver<unknown, AnthropicClient>({
    info: modelInfo(
      { api, id: modelId, vendor, ...(baseURL && { baseURL }) },
      { contextWindow, price, info },
      {
        maxOutputTokens,
        supports: { deferredTools: toolSearch !== false, settings: takenBy(host.settings), partOptions: true },
      },
    ),
    words: host.words,
    apiKey: host.apiKey,
    connect: () => host.connect(),
    async open(request, { client, signal }) {
      const { strictSchemas } = strict ? await import('./strict.ts') : {};
      const programs = programmaticCalls === true ? await import('./programs.ts') : undefined;
      const body = toRequest(request, { ...settings, strictSchemas, programs }, memory);
      const whole = await withSettings(adapt?.(body) ?? body, host.settings, request);
      return client.messages.create(whole, { signal, maxRetries: 0 }); // runs retry, and report it
    },
    reader: ({ tools }) => withProviderResults(eventReader(tools), resultsIn),
    classifyError: async (thrown, phase) => (await import('./failures.ts')).classifyError(thrown, phase),
  });
}

/** Source of the key and the address. */
const words = { key: 'ANTHROPIC_API_KEY or the option `apiKey`', address: 'the option `baseURL`' };

async function missingKey(modelId: string): Promise<UtensilError> {
  const { modelError, modelFailures } = await import('./failures.ts');
  return modelError(modelFailures.missingKey, { modelId, words });
}

async function connect(modelId: string, connection: AnthropicConnection): Promise<AnthropicClient> {
  if (connection.apiKey === '') throw await missingKey(modelId);
  const { Anthropic } = await loadPeer('@anthropic-ai/sdk', () => import('@anthropic-ai/sdk'));
  const careful = carefulFetch(connection.fetch);
  // The errors that we throw contain everything that the SDK would write to the console.
  return quiet(new Anthropic({ ...connection, fetch: careful, logLevel: 'off' }));
}

/**
 * The SDK warns on the console about models by id, at any log level. It does not see the id, and sends the body
 * unchanged.
 */
function quiet(client: Anthropic): AnthropicClient {
  const { apiKey, baseURL, messages } = client;
  return {
    apiKey,
    baseURL,
    messages: {
      create: (params, options) => messages.create({ ...params, model: '' }, { ...options, body: bodyOf(params) }),
    },
  };
}

/** Removes members that the SDK turns into headers. */
function bodyOf({ user_profile_id: _1, workspace_id: _2, ...body }: MessageCreateParamsStreaming): object {
  return body;
}

/** A `fetch` whose failures carry the server's explanation. */
export function carefulFetch(given: AnthropicConnection['fetch']): typeof fetch {
  return surfaceErrors(given ?? fetch, async () => (await import('./failures.ts')).misreadResponses);
}
