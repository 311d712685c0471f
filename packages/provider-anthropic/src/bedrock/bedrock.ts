import type { ClientOptions } from '@anthropic-ai/bedrock-sdk/client';
import { type Model, UtensilError, messageOf } from '@utensil/core';
import { loadPeer, once } from '@utensil/core/provider';
import { type AnthropicClient, type HostedOptions, carefulFetch, modelAt } from '../anthropic.ts';
import { hostedSettings, markedByHand } from '../hosted.ts';

/** Connection of the official client for Bedrock, the package `@anthropic-ai/bedrock-sdk`. */
export type BedrockConnection = Pick<
  ClientOptions,
  | 'apiKey'
  | 'awsAccessKey'
  | 'awsRegion'
  | 'awsSecretKey'
  | 'awsSessionToken'
  | 'baseURL'
  | 'defaultHeaders'
  | 'fetch'
  | 'providerChainResolver'
  | 'timeout'
>;

/** Options of {@link anthropicBedrock}. */
export interface BedrockOptions extends BedrockConnection, Omit<HostedOptions, 'toolSearch'> {}

const words = {
  key: 'AWS credentials, AWS_BEARER_TOKEN_BEDROCK or the options `apiKey`, `awsAccessKey` and `awsSecretKey`',
  address: 'the options `awsRegion` and `baseURL`',
};

/**
 * A model of Anthropic on Amazon Bedrock. Credentials and region are options, or those of the environment, as AWS has them.
 *
 * @example
 * ```ts
 * import { anthropicBedrock } from '@utensil/provider-anthropic/bedrock';
 *
 * const model = anthropicBedrock('us.anthropic.claude-sonnet-5-5-v1:0', { awsRegion: 'us-east-1' });
 * ```
 */
export function anthropicBedrock(modelId: string, options: BedrockOptions = {}): Model {
  const { contextWindow, price, info, cache, strict, eagerInput, programmaticCalls, maxOutputTokens, ...rest } =
    options;
  const common = { contextWindow, price, info, cache, strict, eagerInput, programmaticCalls, maxOutputTokens };
  return modelAt(
    modelId,
    { ...common, toolSearch: false },
    {
      vendor: 'amazon-bedrock',
      words,
      apiKey: rest.apiKey ?? rest.awsSecretKey,
      settings: hostedSettings,
      connect: once(() => connect(rest)),
      adapt: markedByHand,
    },
  );
}

async function connect({ fetch, ...connection }: BedrockConnection): Promise<AnthropicClient> {
  const load = () => import('@anthropic-ai/bedrock-sdk');
  const { AnthropicBedrock } = await loadPeer('@anthropic-ai/bedrock-sdk', load);
  try {
    const options: ClientOptions = { ...connection, fetch: carefulFetch(fetch), logLevel: 'off' };
    return new AnthropicBedrock(options as ConstructorParameters<typeof AnthropicBedrock>[0]);
  } catch (cause) {
    throw new UtensilError('invalid_option', `Bedrock cannot be reached: ${messageOf(cause)}`, { cause });
  }
}
