import type { Model } from '@utensil/core';
import { loadPeer, modelInfo, newCallId, once, surfaceErrors, withProviderResults } from '@utensil/core/provider';
import type { AzureOpenAI } from 'openai';
import type { AzureClientOptions } from 'openai/azure';
import type { ResponseCreateParamsStreaming, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { openChat } from '../chat/open-chat.ts';
import { chatMapper } from '../chat/request.ts';
import { chunkReader } from '../chat/stream.ts';
import type { OpenAIChatOptions, OpenAIOptions, ResponsesClient } from '../openai.ts';
import { responsesMapper } from '../responses/request.ts';
import { resultsIn } from '../responses/results.ts';
import { eventReader } from '../responses/stream.ts';
import { searchesTools } from '../responses/tools.ts';
import { chatSettings, responsesSettings } from '../settings.ts';
import { withStrictTools } from '../strict-mapper.ts';
import { createModel } from '../transport.ts';

/** Connection of the official SDK's `AzureOpenAI` to a resource. */
export interface AzureConnection extends Readonly<
  Pick<
    AzureClientOptions,
    'apiKey' | 'apiVersion' | 'azureADTokenProvider' | 'defaultHeaders' | 'endpoint' | 'fetch' | 'timeout'
  >
> {
  /** Id of the model behind the deployment, by which requests are made. Default: the name of the deployment. */
  readonly modelId?: string;
}

/** Options of {@link azure}. */
export interface AzureOptions
  extends
    AzureConnection,
    Pick<OpenAIOptions, 'contextWindow' | 'price' | 'info' | 'reasoningSummary' | 'strict' | 'toolSearch'> {}

/** Options of {@link azureChat}. */
export interface AzureChatOptions
  extends
    AzureConnection,
    Pick<OpenAIChatOptions, 'contextWindow' | 'price' | 'info' | 'strict' | 'audioInput' | 'newId'> {}

const keyPlace = 'AZURE_OPENAI_API_KEY, the option `apiKey` or `azureADTokenProvider`';

/**
 * A deployment of a model of OpenAI's on Azure, over the Responses API, statelessly. Address, key and version are options, or the
 * environment variables AZURE_OPENAI_ENDPOINT, AZURE_OPENAI_API_KEY and OPENAI_API_VERSION.
 *
 * @example
 * ```ts
 * import { azure } from '@utensil/provider-openai/azure';
 *
 * const endpoint = 'https://my-resource.openai.azure.com';
 * const model = azure('my-deployment', { endpoint, apiKey: 'the-key', apiVersion: 'v1', modelId: 'gpt-5.6' });
 * ```
 */
export function azure(deployment: string, options: AzureOptions = {}): Model {
  const { modelId = deployment, contextWindow, price, info, reasoningSummary, strict, toolSearch, ...rest } = options;
  const settings = { modelId, toolSearch, ...(reasoningSummary && { reasoningSummary }) };
  const toRequest = withStrictTools({ modelId, strict }, (schemaOf) => {
    const toBody = responsesMapper({ ...settings, schemaOf });
    return (request) => ({ ...toBody(request), model: deployment });
  });
  return createModel<ResponsesClient, ResponseCreateParamsStreaming, ResponseStreamEvent>({
    info: modelInfo(
      { api: 'openai-responses', id: modelId, vendor: 'azure' },
      { contextWindow, price, info },
      { supports: { deferredTools: searchesTools(settings) } },
    ),
    client: once(async (): Promise<ResponsesClient> => create(rest)),
    keyPlace,
    settings: responsesSettings(modelId),
    toRequest,
    open: ({ responses }, body, options) => responses.create(body, options),
    reader: ({ tools }) => withProviderResults(eventReader({ tools }), resultsIn),
  });
}

/**
 * A deployment on Azure over the Chat Completions API, for older models.
 *
 * @example
 * ```ts
 * import { azureChat } from '@utensil/provider-openai/azure';
 *
 * const endpoint = 'https://my-resource.openai.azure.com';
 * const model = azureChat('gpt-4.1', { endpoint, apiKey: 'the-key', apiVersion: '2024-10-21' });
 * ```
 */
export function azureChat(deployment: string, options: AzureChatOptions = {}): Model {
  const { modelId = deployment, contextWindow, price, info, strict, audioInput, newId = newCallId, ...rest } = options;
  const toRequest = withStrictTools({ modelId, strict }, (schemaOf) => {
    const toBody = chatMapper({ modelId, schemaOf, audioInput });
    return (request) => ({ ...toBody(request), model: deployment });
  });
  return createModel({
    info: modelInfo({ api: 'openai-chat', id: modelId, vendor: 'azure' }, { contextWindow, price, info }),
    client: once(() => create(rest)),
    keyPlace,
    settings: chatSettings(modelId),
    toRequest,
    open: openChat,
    reader: ({ tools }) => chunkReader({ tools, newId }),
  });
}

async function create(connection: Omit<AzureConnection, 'modelId'>): Promise<AzureOpenAI> {
  const { AzureOpenAI: Client } = await loadPeer('openai', () => import('openai'));
  const careful = surfaceErrors(
    connection.fetch ?? fetch,
    async () => (await import('../failures.ts')).misreadResponses,
  );
  return new Client({ logLevel: 'off', ...connection, fetch: careful });
}
