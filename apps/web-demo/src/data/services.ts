import { UtensilError } from '@utensil/core';
import { currentTexts } from '../texts/texts.ts';
import type { Texts } from '../texts/texts.ts';

/** Wire format of a service. */
export interface Connection {
  readonly apiKey?: string;
  readonly address?: string;
}

/** A service that runs models: the facts known before its code is loaded. */
export interface Service {
  /** Its name and description are in the app's texts. */
  readonly id: keyof Texts['services'];
  /** True if it requires an API key. */
  readonly key: 'required' | 'optional' | 'none';
  /** Default address, if it has no fixed one. */
  readonly address?: string;
  /** Suggested models until its own list is fetched; others may be entered. Empty: no server, and no choice. */
  readonly models: readonly string[];
  /** Suggestion that stands for whichever model the server has. */
  readonly unnamedModel?: string;
  /** True if some of its models lack tool support and call tools in text. */
  readonly mayTakeNoTools?: true;
  /** True if it is not a language model, but understands commands. */
  readonly commandsOnly?: true;
}

/** All services, the one without requirements first. */
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
/** The service with this id. Throws `invalid_input`. */
export function serviceOf(id: string): Service {
  const service = services.find((service) => service.id === id);
  if (service === undefined) throw new UtensilError('invalid_input', currentTexts().models.unknownService(id));
  return service;
}

/** Display name of a service. */
export function labelOf(id: string): string {
  return currentTexts().services[serviceOf(id).id].label;
}
