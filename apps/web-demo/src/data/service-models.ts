import type { Model, ModelData } from '@utensil/core';
import type { Connection, Service } from './services.ts';

// Creates the models of services. Loaded with the first request; the code and SDK of each vendor with the first request
// to it.

type Load = (modelId: string, connection: Connection) => Promise<Model>;

export const serviceModels: Readonly<Record<Service['id'], Load>> = {
  offline: async () => (await import('@utensil/provider-offline')).offline({ examples: [] }), // the app shows its own message
  browser: async () => {
    const { browserModel } = await import('@utensil/provider-browser');
    return (await import('@utensil/text-dialects')).withTextTools(browserModel({ languages: ['en'] }));
  },
  anthropic: async (id, { apiKey = '' }) =>
    (await import('@utensil/provider-anthropic')).anthropic(id, {
      apiKey,
      dangerouslyAllowBrowser: true,
      info: await catalog(),
    }),
  openai: async (id, { apiKey = '' }) =>
    (await import('@utensil/provider-openai')).openai(id, {
      apiKey,
      dangerouslyAllowBrowser: true,
      info: await catalog(),
    }),
  google: async (id, { apiKey = '' }) =>
    (await import('@utensil/provider-google')).google(id, { apiKey, info: await catalog() }),
  openrouter: async (id, { apiKey = '' }) =>
    (await import('@utensil/provider-openai/openrouter')).openrouter(id, {
      apiKey,
      dangerouslyAllowBrowser: true,
      info: await catalog(),
    }),
  ollama: async (id, { address: baseURL }) =>
    withFallback(
      (await import('@utensil/provider-ollama')).ollama(id, {
        contextWindow: localWindow,
        ...(baseURL && { baseURL }),
      }),
    ),
  compatible: async (id, { address = '', apiKey }) =>
    withFallback(
      (await import('@utensil/provider-openai/compatible')).openaiCompatible({
        baseURL: address,
        model: id,
        info: await catalog(),
        ...(apiKey && { apiKey, dangerouslyAllowBrowser: true }),
      }),
    ),
};

/** Context window of a local model, in tokens: the server's default may be 4,096, which the tools alone exceed. */
const localWindow = 16_384;

/** Prices and context windows. Larger than any provider, so loaded with the first paid model. */
async function catalog(): Promise<ModelData> {
  return (await import('@utensil/model-data')).modelData;
}

/** Wraps a model that may lack tool support: it then calls tools in text, from the turn in which its server says so. */
async function withFallback(model: Model): Promise<Model> {
  return (await import('@utensil/text-dialects')).withTextFallback(model);
}
