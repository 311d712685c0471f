import { UtensilError } from '@utensil/core';
import type { Model } from '@utensil/core';

/** How a service is reached. */
export interface Connection {
  readonly apiKey?: string;
  readonly address?: string;
}

/** Somebody who runs models. Its code, and the SDK of its vendor, are loaded when the first request is made. */
export interface Service {
  readonly id: string;
  readonly label: string;
  /** What a person has to know before they choose it. */
  readonly hint: string;
  /** Whether it takes an API key, by which it knows the user. */
  readonly key: 'required' | 'optional' | 'none';
  /** Its usual address, if it may be anywhere. */
  readonly address?: string;
  /** Models to propose before its own list is fetched; others may be named. Empty: there is no server, and no choice. */
  readonly models: readonly string[];
  /** It is no language model: it understands commands. */
  readonly commandsOnly?: true;
  load(modelId: string, connection: Connection): Promise<Model>;
}

/** All services, the one that needs nothing first. */
export const services: readonly Service[] = [
  {
    id: 'offline',
    label: 'Offline demo',
    hint: 'No language model: it understands commands such as “write notes/todo.md: buy milk then list notes”, and makes real tool calls of them. Needs neither key nor network.',
    key: 'none',
    models: [],
    commandsOnly: true,
    load: async () => (await import('@utensil/provider-offline')).offline({ examples: [] }), // the app shows its own
  },
  {
    id: 'anthropic',
    label: 'Anthropic',
    hint: 'Claude, with your API key from console.anthropic.com.',
    key: 'required',
    models: ['claude-sonnet-5-5', 'claude-opus-5'],
    load: async (id, { apiKey = '' }) =>
      (await import('@utensil/provider-anthropic')).anthropic(id, { apiKey, dangerouslyAllowBrowser: true }),
  },
  {
    id: 'openai',
    label: 'OpenAI',
    hint: 'GPT, with your API key from platform.openai.com.',
    key: 'required',
    models: ['gpt-5.6'],
    load: async (id, { apiKey = '' }) =>
      (await import('@utensil/provider-openai')).openai(id, { apiKey, dangerouslyAllowBrowser: true }),
  },
  {
    id: 'google',
    label: 'Google',
    hint: 'Gemini, with your API key from aistudio.google.com.',
    key: 'required',
    models: ['gemini-3.8-flash'],
    load: async (id, { apiKey = '' }) => (await import('@utensil/provider-google')).google(id, { apiKey }),
  },
  {
    id: 'openrouter',
    label: 'OpenRouter',
    hint: 'Models of many vendors, with your API key from openrouter.ai.',
    key: 'required',
    models: ['anthropic/claude-sonnet-5-5'],
    load: async (id, { apiKey = '' }) =>
      (await import('@utensil/provider-openai/openrouter')).openrouter(id, { apiKey, dangerouslyAllowBrowser: true }),
  },
  {
    id: 'ollama',
    label: 'Ollama',
    hint: 'Models on your own machine, or on another one in your network.',
    key: 'none',
    address: 'http://127.0.0.1:11434',
    models: ['qwen3'],
    load: async (id, { address: baseURL }) =>
      (await import('@utensil/provider-ollama')).ollama(id, { ...(baseURL && { baseURL }) }),
  },
  {
    id: 'compatible',
    label: 'Another server',
    hint: 'Any server with OpenAI’s Chat Completions API, such as llama.cpp, vLLM or LM Studio.',
    key: 'optional',
    address: 'http://127.0.0.1:8080/v1',
    models: ['default'],
    load: async (id, { address = '', apiKey }) =>
      (await import('@utensil/provider-openai/compatible')).openaiCompatible({
        baseURL: address,
        model: id,
        ...(apiKey && { apiKey, dangerouslyAllowBrowser: true }),
      }),
  },
];

/** The service of that id. Throws `invalid_input`. */
export function serviceOf(id: string): Service {
  const service = services.find((service) => service.id === id);
  if (service === undefined) throw new UtensilError('invalid_input', `There is no service "${id}".`);
  return service;
}
