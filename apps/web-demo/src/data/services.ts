import { UtensilError } from '@utensil/core';
import { currentTexts } from '../texts/texts.ts';
import type { Texts } from '../texts/texts.ts';

/** How a service is reached. */
export interface Connection {
  readonly apiKey?: string;
  readonly address?: string;
}

/** Somebody who runs models: what is known of it before any of its code is loaded. */
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
  /** Its models, or some of them, take no tools and call them in text. */
  readonly mayTakeNoTools?: true;
  /** It is no language model: it understands commands. */
  readonly commandsOnly?: true;
}

/** All services, the one that needs nothing first. */
export const services: readonly Service[] = [
  {
    id: 'offline',
    key: 'none',
    models: [],
    commandsOnly: true,
  },
  {
    id: 'browser',
    mayTakeNoTools: true,
    key: 'none',
    models: [],
  },
  {
    id: 'anthropic',
    key: 'required',
    models: ['claude-sonnet-5-5', 'claude-opus-5'],
  },
  {
    id: 'openai',
    key: 'required',
    models: ['gpt-5.6'],
  },
  {
    id: 'google',
    key: 'required',
    models: ['gemini-3.8-flash'],
  },
  {
    id: 'openrouter',
    key: 'required',
    models: ['anthropic/claude-sonnet-5-5'],
  },
  {
    id: 'ollama',
    mayTakeNoTools: true,
    key: 'none',
    address: 'http://127.0.0.1:11434',
    models: ['qwen3'],
  },
  {
    id: 'compatible',
    mayTakeNoTools: true,
    key: 'optional',
    address: 'http://127.0.0.1:8080/v1',
    models: ['default'],
    unnamedModel: 'default',
  },
];
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
