import { isObject } from '@utensil/core';
import { type OllamaConnection, connect, defaultBaseURL, loadOllama } from './transport.ts';

/** A model that a server has. */
export interface OllamaModel {
  readonly id: string;
  /** In bytes. */
  readonly size: number;
}

/** Address and time limit of {@link listOllamaModels}. */
export interface OllamaSearch extends OllamaConnection {
  /** In milliseconds. Default 300. */
  readonly timeout?: number;
}

/**
 * The models of a server that can chat, latest first; undefined if no server answers, which is not an error.
 *
 * @example
 * ```ts
 * import { listOllamaModels, ollama } from '@utensil/provider-ollama';
 *
 * const [latest] = (await listOllamaModels()) ?? [];
 * const model = ollama(latest?.id ?? 'qwen3');
 * ```
 */
export async function listOllamaModels(search: OllamaSearch = {}): Promise<readonly OllamaModel[] | undefined> {
  const { timeout = 300, ...connection } = search;
  const { baseURL = defaultBaseURL, apiKey } = connection;
  const subject = { modelId: 'any model', baseURL, apiKey };
  try {
    await loadOllama(); // no part of the server's time
    const client = await connect(connection, { subject, signal: AbortSignal.timeout(timeout) });
    const { models } = await client.list();
    return models.filter(isChatModel).map(({ name, size }) => ({ id: name, size }));
  } catch {
    return undefined;
  }
}

/** Some models make vectors of texts, and say nothing. */
function isChatModel({ name, details }: { readonly name: string; readonly details?: unknown }): boolean {
  const family = isObject(details) ? String(details['family']) : '';
  return !/bert/i.test(family) && !/embed/i.test(name);
}
