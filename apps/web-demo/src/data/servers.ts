import { listings } from './model-listing.ts';
import type { ModelListing } from './model-listing.ts';
import type { Texts } from '../texts/texts.ts';

/** What is behind a service: how it lists its models, and what to do if it cannot be used. */
export interface ServiceServer {
  readonly list: ModelListing;
  /** Name of the texts that help. */
  readonly help: keyof Texts['serverHelp'];
}

/** The servers of the services, by id. Loaded with the first test of a connection. */
export const servers: Readonly<Record<string, ServiceServer>> = {
  anthropic: { list: listings.anthropic, help: 'hosted' },
  openai: { list: listings.openai, help: 'hosted' },
  google: { list: listings.google, help: 'hosted' },
  openrouter: { list: listings.openrouter, help: 'hosted' },
  ollama: { list: listings.ollama, help: 'ollama' },
  compatible: { list: listings.compatible, help: 'compatible' },
};
