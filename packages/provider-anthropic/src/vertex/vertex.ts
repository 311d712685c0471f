import type { ClientOptions } from '@anthropic-ai/vertex-sdk/client';
import { type Model, UtensilError, messageOf } from '@utensil/core';
import { loadPeer, once } from '@utensil/core/provider';
import { type AnthropicClient, type HostedOptions, carefulFetch, modelAt } from '../anthropic.ts';
import { hostedSettings, markedByHand } from '../hosted.ts';

/** Connection of the official client for Vertex AI, the package `@anthropic-ai/vertex-sdk`. */
export type VertexConnection = Pick<
  ClientOptions,
  | 'accessToken'
  | 'authClient'
  | 'baseURL'
  | 'defaultHeaders'
  | 'fetch'
  | 'googleAuth'
  | 'projectId'
  | 'region'
  | 'timeout'
>;

/** Options of {@link anthropicVertex}. */
export interface VertexOptions extends VertexConnection, Omit<HostedOptions, 'toolSearch'> {}

const words = {
  key: "Google's credentials or the options `authClient` and `googleAuth`",
  address: 'the options `region`, `projectId` and `baseURL`',
};

/**
 * A model of Anthropic on Google's Vertex AI. Credentials are Google's defaults, or options; region and project are options, or the
 * environment variables CLOUD_ML_REGION and ANTHROPIC_VERTEX_PROJECT_ID.
 *
 * @example
 * ```ts
 * import { anthropicVertex } from '@utensil/provider-anthropic/vertex';
 *
 * const model = anthropicVertex('claude-sonnet-5-5', { region: 'europe-west1', projectId: 'my-project' });
 * ```
 */
export function anthropicVertex(modelId: string, options: VertexOptions = {}): Model {
  const { contextWindow, price, info, cache, strict, eagerInput, programmaticCalls, maxOutputTokens, ...rest } =
    options;
  const common = { contextWindow, price, info, cache, strict, eagerInput, programmaticCalls, maxOutputTokens };
  return modelAt(
    modelId,
    { ...common, toolSearch: false },
    {
      vendor: 'google-vertex',
      words,
      apiKey: rest.accessToken,
      settings: hostedSettings,
      connect: once(() => connect(rest)),
      adapt: markedByHand,
    },
  );
}

async function connect({ fetch, ...connection }: VertexConnection): Promise<AnthropicClient> {
  const { AnthropicVertex } = await loadPeer('@anthropic-ai/vertex-sdk', () => import('@anthropic-ai/vertex-sdk'));
  try {
    return new AnthropicVertex({ ...connection, fetch: carefulFetch(fetch), logLevel: 'off' });
  } catch (cause) {
    throw new UtensilError('invalid_option', `Vertex AI cannot be reached: ${messageOf(cause)}`, { cause });
  }
}
