import type { Model, ModelPrice } from '@utensil/core';
import { modelInfo, modelOver, newCallId, takenBy, withSettings } from '@utensil/core/provider';
import type { ChatRequest, Ollama } from 'ollama/browser';
import { capabilitiesOf } from './capabilities.ts';
import { classifyError, truncatedError, wordsOf } from './errors.ts';
import { api } from './messages.ts';
import { type Body, chatMapper } from './request.ts';
import { settings } from './settings.ts';
import { type Chunk, chunkReader } from './stream.ts';
import { type OllamaConnection, connect, defaultBaseURL } from './transport.ts';

/** Options of {@link ollama}. */
export interface OllamaOptions extends OllamaConnection {
  /**
   * In tokens: how much of a conversation the server lets the model see. Without it the server has a default, which may be
   * as low as 4,096, and silently drops what is older.
   */
  readonly contextWindow?: number;
  /** US dollars for a million tokens. Default: free, unless there is an `apiKey`: whose server it is then, nobody knows. */
  readonly price?: ModelPrice;
  /** Ids for calls to which a server gave none. Default: random. */
  readonly newId?: () => string;
}

/**
 * A model of an Ollama server, over its own API.
 *
 * @example
 * ```ts
 * import { ollama } from '@utensil/provider-ollama';
 *
 * const model = ollama('qwen3:8b', { contextWindow: 32_768 });
 * ```
 */
export function ollama(modelId: string, options: OllamaOptions = {}): Model {
  const { contextWindow, price: given, newId = newCallId, ...connection } = options;
  const { baseURL = defaultBaseURL, apiKey } = connection;
  const price = given ?? (apiKey ? undefined : free);
  const subject = { modelId, baseURL, apiKey };
  const toRequest = chatMapper({ modelId, contextWindow });
  const capabilities = capabilitiesOf(modelId);
  return modelOver({
    info: modelInfo({ api, id: modelId }, { contextWindow, price }, { supports: { settings: takenBy(settings) } }),
    words: wordsOf(subject),
    apiKey,
    async open(request, { signal }) {
      let lines = 0;
      const client = await connect(connection, { subject, signal, onLine: () => void lines++ });
      const body = toRequest(request, await capabilities(request, client));
      const chunks = await chat(client, await withSettings(body, settings, request));
      return counted(chunks, (read) => {
        if (read < lines) throw truncatedError(subject, true);
      });
    },
    reader: () => chunkReader(newId),
    classifyError,
  });
}

const free: ModelPrice = { input: 0, output: 0 };

/** The same lines, up to the last. The SDK passes over one that it cannot read: their number tells. */
async function* counted(chunks: AsyncIterable<Chunk>, checkCount: (read: number) => void): AsyncGenerator<Chunk> {
  let read = 0;
  for await (const chunk of chunks) {
    read++;
    if (chunk.done === true) checkCount(read);
    yield chunk;
  }
}

/** The SDK's types know less than its server. */
function chat(client: Ollama, body: Body): Promise<AsyncIterable<Chunk>> {
  return client.chat(body as ChatRequest & { readonly stream: true });
}
