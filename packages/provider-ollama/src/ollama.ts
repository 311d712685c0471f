import { type Model, type ModelInfo, isUtensilError } from '@utensil/core';
import { abortedError } from '@utensil/core/provider';
import type { ChatRequest, Ollama } from 'ollama/browser';
import { capabilitiesOf } from './capabilities.ts';
import { failedError, truncatedError } from './errors.ts';
import { api } from './messages.ts';
import { type Body, chatMapper } from './request.ts';
import { type Chunk, fromChunks } from './stream.ts';
import { type OllamaConnection, connect, defaultBaseURL, endingWith } from './transport.ts';

/** Options of {@link ollama}. */
export interface OllamaOptions extends OllamaConnection {
  /**
   * In tokens: how much of a conversation the server lets the model see. Without it the server has a default, which may be
   * as low as 4,096, and silently drops what is older.
   */
  readonly contextWindow?: number;
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
  const { contextWindow, newId = randomId, ...connection } = options;
  const { baseURL = defaultBaseURL, apiKey } = connection;
  const subject = { modelId, baseURL, apiKey };
  const toRequest = chatMapper({ modelId, contextWindow });
  const capabilities = capabilitiesOf(modelId);
  const info: ModelInfo = { api, id: modelId, ...(contextWindow !== undefined && { contextWindow }) };

  return {
    info,
    async *stream(request, { signal }) {
      const ending = endingWith(signal);
      let lines = 0;
      const onLine = (): void => void lines++;
      // The SDK passes over a line that it cannot read.
      const checkCount = (read: number): void => {
        if (read < lines) throw truncatedError(subject, true);
      };
      try {
        signal.throwIfAborted();
        const client = await connect(connection, { subject, signal: ending.signal, onLine });
        const chunks = await chat(client, toRequest(request, await capabilities(request, client)));
        for await (const part of fromChunks(chunks, { newId, checkCount })) {
          signal.throwIfAborted(); // what had come already does not hold an abort up
          yield part;
        }
      } catch (error) {
        if (signal.aborted) throw abortedError(modelId, signal);
        throw isUtensilError(error) ? error : failedError(subject, error);
      } finally {
        ending.end();
      }
    },
  };
}

/** The SDK's types know less than its server. */
function chat(client: Ollama, body: Body): Promise<AsyncIterable<Chunk>> {
  return client.chat(body as ChatRequest & { readonly stream: true });
}

function randomId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '')}`;
}
