import { UtensilError } from '@utensil/core';
import type { Model, ModelData } from '@utensil/core';
import { currentTexts } from '../texts/texts.ts';
import type { Texts } from '../texts/texts.ts';

/** How a service is reached. */
export interface Connection {
  readonly apiKey?: string;
  readonly address?: string;
}

/** Somebody who runs models. Its code, and the SDK of its vendor, are loaded when the first request is made. */
export interface Service {
  /** Its name and what to know before choosing it are in the texts of the app. */
  readonly id: keyof Texts['services'];
  /** Whether it takes an API key, by which it knows the user. */
  readonly key: 'required' | 'optional' | 'none';
  /** Its usual address, if it may be anywhere. */
  readonly address?: string;
  /** Models to propose before its own list is fetched; others may be named. Empty: there is no server, and no choice. */
  readonly models: readonly string[];
  /** The proposed model that stands for whichever model the server has. */
  readonly unnamedModel?: string;
  /** It is no language model: it understands commands. */
  readonly commandsOnly?: true;
  load(modelId: string, connection: Connection): Promise<Model>;
}

/** All services, the one that needs nothing first. */
export const services: readonly Service[] = [
  {
    id: 'offline',
    key: 'none',
    models: [],
    commandsOnly: true,
    load: async () => (await import('@utensil/provider-offline')).offline({ examples: [] }), // the app shows its own
  },
  {
    id: 'browser',
    key: 'none',
    models: [],
    load: async () => {
      const [{ browserModel }, { withTextTools }] = await Promise.all([
        import('@utensil/provider-browser'),
        import('@utensil/text-dialects'),
      ]);
      return withTextTools(browserModel({ languages: ['en'] }));
    },
  },
  {
    id: 'anthropic',
    key: 'required',
    models: ['claude-sonnet-5-5', 'claude-opus-5'],
    load: async (id, { apiKey = '' }) =>
      (await import('@utensil/provider-anthropic')).anthropic(id, {
        apiKey,
        dangerouslyAllowBrowser: true,
        info: await catalog(),
      }),
  },
  {
    id: 'openai',
    key: 'required',
    models: ['gpt-5.6'],
    load: async (id, { apiKey = '' }) =>
      (await import('@utensil/provider-openai')).openai(id, {
        apiKey,
        dangerouslyAllowBrowser: true,
        info: await catalog(),
      }),
  },
  {
    id: 'google',
    key: 'required',
    models: ['gemini-3.8-flash'],
    load: async (id, { apiKey = '' }) =>
      (await import('@utensil/provider-google')).google(id, { apiKey, info: await catalog() }),
  },
  {
    id: 'openrouter',
    key: 'required',
    models: ['anthropic/claude-sonnet-5-5'],
    load: async (id, { apiKey = '' }) =>
      (await import('@utensil/provider-openai/openrouter')).openrouter(id, {
        apiKey,
        dangerouslyAllowBrowser: true,
        info: await catalog(),
      }),
  },
  {
    id: 'ollama',
    key: 'none',
    address: 'http://127.0.0.1:11434',
    models: ['qwen3'],
    load: async (id, { address: baseURL }) =>
      withFallback(
        (await import('@utensil/provider-ollama')).ollama(id, {
          contextWindow: localWindow,
          ...(baseURL && { baseURL }),
        }),
      ),
  },
  {
    id: 'compatible',
    key: 'optional',
    address: 'http://127.0.0.1:8080/v1',
    models: ['default'],
    unnamedModel: 'default',
    load: async (id, { address = '', apiKey }) =>
      withFallback(
        (await import('@utensil/provider-openai/compatible')).openaiCompatible({
          baseURL: address,
          model: id,
          info: await catalog(),
          ...(apiKey && { apiKey, dangerouslyAllowBrowser: true }),
        }),
      ),
  },
];

/** In tokens, of a model on the user's own computer: by default it may be 4,096, in which the tools alone have no place. */
const localWindow = 16_384;

/** Prices and context windows: larger than any provider, so loaded with the first model that costs something. */
async function catalog(): Promise<ModelData> {
  return (await import('@utensil/model-data')).modelData;
}

/** A model that takes no tools calls them in text, from the turn on in which its server says so. */
async function withFallback(model: Model): Promise<Model> {
  return (await import('@utensil/text-dialects')).withTextFallback(model);
}

/** The service of that id. Throws `invalid_input`. */
export function serviceOf(id: string): Service {
  const service = services.find((service) => service.id === id);
  if (service === undefined) throw new UtensilError('invalid_input', currentTexts().models.unknownService(id));
  return service;
}

/** The name of a service, for people. */
export function labelOf(id: string): string {
  return currentTexts().services[serviceOf(id).id].label;
}
