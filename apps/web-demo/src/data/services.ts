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
  /** It wants a key, by which it knows the user. */
  readonly needsKey: boolean;
  /** Where it is, for those that may be anywhere. */
  readonly address?: string;
  /** The models that are proposed; others may be named. Empty: it has just one. */
  readonly models: readonly string[];
  load(modelId: string, connection: Connection): Promise<Model>;
}

/** All services, the one that needs nothing first. */
export const services: readonly Service[] = [
  {
    id: 'offline',
    label: 'No model: commands',
    hint: 'No language model. It understands commands such as “write notes/todo.md: buy milk then list notes”, makes real tool calls of them, and needs neither key nor network.',
    needsKey: false,
    models: [],
    load: async () => (await import('@utensil/provider-offline')).offline(),
  },
  {
    id: 'demonstration',
    label: 'No model: a demonstration',
    hint: 'Whatever you write, it makes one call: a program that reads every .csv in /data with other tools and writes /out/report.json. Switch on “Call tools” of JavaScript for it.',
    needsKey: false,
    models: [],
    load: async () => (await import('./demonstration.ts')).demonstration(),
  },
  {
    id: 'anthropic',
    label: 'Anthropic',
    hint: 'Claude, with a key of yours from console.anthropic.com.',
    needsKey: true,
    models: ['claude-sonnet-5-5', 'claude-opus-5'],
    load: async (id, { apiKey = '' }) =>
      (await import('@utensil/provider-anthropic')).anthropic(id, { apiKey, dangerouslyAllowBrowser: true }),
  },
  {
    id: 'openai',
    label: 'OpenAI',
    hint: 'GPT, with a key of yours from platform.openai.com.',
    needsKey: true,
    models: ['gpt-5.6'],
    load: async (id, { apiKey = '' }) =>
      (await import('@utensil/provider-openai')).openai(id, { apiKey, dangerouslyAllowBrowser: true }),
  },
  {
    id: 'google',
    label: 'Google',
    hint: 'Gemini, with a key of yours from aistudio.google.com.',
    needsKey: true,
    models: ['gemini-3.8-flash'],
    load: async (id, { apiKey = '' }) => (await import('@utensil/provider-google')).google(id, { apiKey }),
  },
  {
    id: 'openrouter',
    label: 'OpenRouter',
    hint: 'Models of many makers, with a key of yours from openrouter.ai.',
    needsKey: true,
    models: ['anthropic/claude-sonnet-5-5'],
    load: async (id, { apiKey = '' }) =>
      (await import('@utensil/provider-openai/openrouter')).openrouter(id, { apiKey, dangerouslyAllowBrowser: true }),
  },
  {
    id: 'ollama',
    label: 'Ollama',
    hint: 'Models on your own machine. Ollama has to allow this page: start it with OLLAMA_ORIGINS set to the address of this page.',
    needsKey: false,
    address: 'http://127.0.0.1:11434',
    models: ['qwen3'],
    load: async (id, { address: baseURL }) =>
      (await import('@utensil/provider-ollama')).ollama(id, { ...(baseURL && { baseURL }) }),
  },
  {
    id: 'compatible',
    label: 'Another server',
    hint: 'Any server that speaks OpenAI’s Chat Completions, such as llama.cpp, vLLM or LM Studio. It has to allow this page (CORS).',
    needsKey: false,
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
