import type { Message, Model, UtensilError } from '@utensil/core';
import { type ModelInfoOptions, type TurnReader, modelInfo, newCallId } from '@utensil/core/provider';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { type ChatClient, openChat } from '../chat/open-chat.ts';
import { chatMapper } from '../chat/request.ts';
import { chunkReader } from '../chat/stream.ts';
import { readRouterCost, withBilledCost } from '../compatible/billed-cost.ts';
import { foreignFetch } from '../compatible/foreign-fetch.ts';
import type { OpenAIChatOptions } from '../openai.ts';
import { compatibleSettings } from '../compatible/settings.ts';
import { withStrictTools } from '../strict-mapper.ts';
import { connect, createModel, wordsWith } from '../transport.ts';
import { api, collectDetails, detailsOf } from './details.ts';

/** Options of {@link openrouter}. */
export interface OpenRouterOptions extends Omit<OpenAIChatOptions, 'organization'> {
  /** True to cache the prefix of a request for the next. Default: for models that cache only on request. */
  readonly cache?: boolean;
}

const keyPlace = 'OPENROUTER_API_KEY or the option `apiKey`';

/**
 * A model over OpenRouter, which has those of many vendors. The key is `apiKey`, or the environment variable
 * OPENROUTER_API_KEY.
 *
 * @example
 * ```ts
 * import { openrouter } from '@utensil/provider-openai/openrouter';
 *
 * const model = openrouter('anthropic/claude-sonnet-5-5', { apiKey: 'the-key' });
 * ```
 */
export function openrouter(modelId: string, options: OpenRouterOptions = {}): Model {
  const { client: given, cache = /^~?anthropic\//.test(modelId), strict, ...others } = options;
  const { contextWindow, price, info, audioInput, newId = newCallId, ...rest } = others;
  const extend = (message: Message) => detailsOf(message, modelId);
  const toRequest = withStrictTools({ modelId, strict }, (schemaOf) => {
    const toChat = chatMapper({ modelId, api, schemaOf, extend, audioInput });
    return function toBody({ providerOptions, ...request }) {
      const { reasoning_effort: effort, ...body } = toChat(request);
      return {
        ...body,
        ...(effort && { reasoning: { effort } }),
        ...(cache && { cache_control: { type: 'ephemeral' } }),
        ...providerOptions,
        stream: true as const,
      };
    };
  });
  return createModel({
    info: modelInfo({ api, id: modelId, vendor: 'openrouter' }, { contextWindow, price, info }, { reportsCost: true }),
    client: clientOf(given, rest, modelId),
    keyPlace,
    settings: compatibleSettings(modelId),
    toRequest,
    open: openChat,
    reader: ({ tools }) => withDetails(withBilledCost(chunkReader({ tools, newId }), readRouterCost)),
  });
}

type Connection = Omit<
  OpenRouterOptions,
  'client' | 'cache' | keyof ModelInfoOptions | 'strict' | 'audioInput' | 'newId'
>;

function clientOf(given: ChatClient | undefined, connection: Connection, modelId: string): () => Promise<ChatClient> {
  const { baseURL = 'https://openrouter.ai/api/v1', fetch, ...rest } = connection;
  let known: (() => Promise<ChatClient>) | undefined;
  return async function client() {
    if (given !== undefined) return given;
    const apiKey = connection.apiKey || keyInEnvironment();
    if (!apiKey) throw await missingKey(modelId);
    known ??= connect<ChatClient>(undefined, { ...rest, baseURL, apiKey, fetch: foreignFetch(fetch) });
    return known();
  };
}

async function missingKey(modelId: string): Promise<UtensilError> {
  const { modelError, modelFailures } = await import('../failures.ts');
  return modelError(modelFailures.missingKey, { modelId, words: wordsWith(keyPlace) });
}

/**
 * The key from the environment, if there is one, as in Node.js. The SDK would look for OpenAI's key, which OpenRouter must not
 * get.
 */
function keyInEnvironment(): string | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  return process?.env?.['OPENROUTER_API_KEY'];
}

/** The same parts, and at the end what the model wants back. */
function withDetails(reader: ReturnType<typeof chunkReader>): TurnReader<ChatCompletionChunk> {
  const details = collectDetails();
  return {
    progress: reader.progress,
    read(chunk) {
      details.add(chunk);
      return reader.read(chunk);
    },
    end() {
      const state = details.state();
      return reader.end().map((part) => {
        if (part.type !== 'finish') return part;
        return { ...part, ...(state !== undefined && { state }) };
      });
    },
  };
}
