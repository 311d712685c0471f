import type { ClientOptions } from '@anthropic-ai/sdk';
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { type Model, type ModelInfo, UtensilError } from '@utensil/core';
import { errorOf, toError } from './errors.ts';
import { outspoken } from './fetch.ts';
import { requestMemory, toRequest } from './request.ts';
import { api } from './state.ts';
import { fromEvents } from './stream.ts';
import type { ToolSettings } from './tools.ts';

/** What is used of a client: the official one, one for another platform, or your own. */
export interface AnthropicClient {
  readonly apiKey?: string | null;
  readonly messages: {
    create(body: MessageCreateParamsStreaming, options: { signal: AbortSignal }): PromiseLike<AsyncIterable<unknown>>;
  };
}

/** How the official client connects, where none is given. */
export type AnthropicConnection = Pick<
  ClientOptions,
  'apiKey' | 'baseURL' | 'dangerouslyAllowBrowser' | 'defaultHeaders' | 'fetch' | 'maxRetries' | 'timeout'
>;

/** Options of {@link anthropic}. */
export interface AnthropicOptions extends AnthropicConnection, ToolSettings {
  /** A client of yours, instead of the options for a connection. */
  readonly client?: AnthropicClient | undefined;
  /** In tokens, where a request does not say. Default 32,000. */
  readonly maxOutputTokens?: number | undefined;
  /** In tokens, for whoever wants to know. */
  readonly contextWindow?: number | undefined;
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
  const {
    client: given,
    maxOutputTokens,
    cache,
    strict,
    eagerInput,
    programmaticCalls,
    toolSearch,
    contextWindow,
    ...connection
  } = options;
  const settings = { modelId, maxOutputTokens, cache, strict, eagerInput, toolSearch };
  const memory = requestMemory();
  let client = given;
  const info: ModelInfo = {
    api,
    id: modelId,
    ...(contextWindow !== undefined && { contextWindow }),
    supports: { deferredTools: toolSearch !== false },
  };

  return {
    info,
    async *stream(request, { signal }) {
      let isStreaming = false;
      try {
        client ??= await connect(modelId, connection);
        const { strictSchemas } = strict ? await import('./strict.ts') : {};
        const programs = programmaticCalls === true ? await import('./programs.ts') : undefined;
        const body = toRequest(request, { ...settings, strictSchemas, programs }, memory);
        const events = await client.messages.create(body, { signal });
        isStreaming = true;
        for await (const part of fromEvents(events, { modelId, tools: request.tools })) {
          signal.throwIfAborted(); // what had come already does not hold an abort up
          yield part;
        }
      } catch (error) {
        throw await toError(error, { modelId, signal, isStreaming, apiKey: client?.apiKey ?? connection.apiKey });
      }
    },
  };
}

async function connect(modelId: string, connection: AnthropicConnection): Promise<AnthropicClient> {
  if (connection.apiKey === '') throw errorOf('missingKey', modelId);
  const { Anthropic } = await import('@anthropic-ai/sdk').catch((cause: unknown) => {
    throw new UtensilError('model_failed', 'The package @anthropic-ai/sdk is missing: install it beside this one.', {
      cause,
    });
  });
  // Whatever the SDK would write to the console is in the errors that we throw.
  return new Anthropic({ ...connection, fetch: outspoken(connection.fetch ?? fetch), logLevel: 'off' });
}
