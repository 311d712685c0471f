import type { Message, Model } from '@utensil/core';
import { type ModelInfoOptions, modelInfo, newCallId } from '@utensil/core/provider';
import { type ChatClient, openChat } from '../chat/open-chat.ts';
import { chatMapper } from '../chat/request.ts';
import { chunkReader } from '../chat/stream.ts';
import type { OpenAIChatOptions } from '../openai.ts';
import { withStrictTools } from '../strict-mapper.ts';
import { connect, createModel } from '../transport.ts';
import { costReaderAt, withBilledCost } from './billed-cost.ts';
import { foreignFetch, noKey } from './foreign-fetch.ts';
import { compatibleSettings } from './settings.ts';
import { type Difference, type Quirk, differences, quirksOf } from './quirks.ts';

/** Options of {@link openaiCompatible}. */
export interface CompatibleOptions extends Omit<OpenAIChatOptions, 'baseURL' | 'organization'> {
  /** Address of the API, without the `/chat/completions` at its end. */
  readonly baseURL: string;
  /** The id of the model, as the server knows it. */
  readonly model: string;
  /** Differences between the server and OpenAI, instead of the known ones of its address. */
  readonly quirks?: readonly Quirk[];
}

/**
 * A model of a server that speaks the Chat Completions API of OpenAI. It gets no key but its own.
 *
 * @example
 * ```ts
 * import { openaiCompatible } from '@utensil/provider-openai/compatible';
 *
 * const model = openaiCompatible({ baseURL: 'http://127.0.0.1:1234/v1', model: 'qwen3-8b', quirks: ['no-tool-choice'] });
 * ```
 */
export function openaiCompatible(options: CompatibleOptions): Model {
  const {
    model: modelId,
    client,
    contextWindow,
    price,
    info,
    strict,
    audioInput,
    newId = newCallId,
    quirks,
    ...connection
  } = options;
  const chosen: readonly Difference[] = (quirks ?? quirksOf(options.baseURL)).map((quirk) => differences[quirk]);
  const readCost = costReaderAt(options.baseURL);
  const extend = (message: Message) =>
    Object.assign({}, ...chosen.map((difference) => difference.message?.(message, modelId))) as object;
  const toRequest = withStrictTools({ modelId, strict }, (schemaOf) => {
    const toChat = chatMapper({ modelId, schemaOf, extend, audioInput });
    return function toBody({ providerOptions, ...request }) {
      const body = chosen.reduce((each, difference) => difference.body?.(each) ?? each, toChat(request));
      return { ...body, ...providerOptions, stream: true as const };
    };
  });
  return createModel({
    info: modelInfo(
      { api: 'openai-chat', id: modelId, baseURL: options.baseURL },
      { contextWindow, price, info },
      readCost && { reportsCost: true },
    ),
    client: connect<ChatClient>(client, foreign(connection)),
    keyPlace: 'the option `apiKey`',
    settings: compatibleSettings(modelId, chosen.find(({ seed }) => seed !== undefined)?.seed),
    toRequest,
    open: openChat,
    reader({ tools }) {
      const reader = chunkReader({ tools, newId });
      return readCost ? withBilledCost(reader, readCost) : reader;
    },
  });
}

type Connection = Omit<
  CompatibleOptions,
  'model' | 'client' | keyof ModelInfoOptions | 'strict' | 'audioInput' | 'newId' | 'quirks'
>;

/**
 * Without a key, a page has no secret to expose; and the server never gets the key or organisation meant for OpenAI.
 */
function foreign({ apiKey, fetch, ...connection }: Connection): Parameters<typeof connect>[1] {
  const hasKey = apiKey !== undefined && apiKey !== '';
  return {
    ...(!hasKey && { dangerouslyAllowBrowser: true }),
    ...connection,
    apiKey: hasKey ? apiKey : noKey,
    fetch: foreignFetch(fetch),
  };
}
