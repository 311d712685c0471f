import { listings } from './model-listing.ts';
import type { ModelListing } from './model-listing.ts';
import type { englishConnections } from '../texts/connections.ts';

/** Server of a service: its listing of models, and advice if it is unusable. */
export interface ServiceServer {
  readonly list: ModelListing;
  /** Name of its advice texts. */
  readonly help: keyof (typeof englishConnections)['serverHelp'];
}

/** Servers by service id. Loaded with the first connection test. */
export const servers: Readonly<Record<string, ServiceServer>> = {
  anthropic: { list: listings.anthropic, help: 'hosted' },
  openai: { list: listings.openai, help: 'hosted' },
  google: { list: listings.google, help: 'hosted' },
  openrouter: { list: listings.openrouter, help: 'hosted' },
  ollama: { list: listings.ollama, help: 'ollama' },
  compatible: { list: listings.compatible, help: 'compatible' },
};
