import { listings } from './model-listing.ts';
import type { ModelListing } from './model-listing.ts';
import type { ServerHelp } from './reachability.ts';

/** For the services of vendors, whose addresses are fixed. */
const hostedHelp: ServerHelp = {
  allow: () => 'An extension of the browser or a proxy in your network may be in the way. Try again without it.',
  start: () => 'See whether you are online, and whether your network lets you reach it.',
  find: 'A proxy in your network may be in the way. Try again later.',
};

const ollamaHelp: ServerHelp = {
  allow: (origin) => `Set OLLAMA_ORIGINS=${origin} in Ollama’s environment, restart it, then try again.`,
  start: (isThisMachine) =>
    isThisMachine
      ? 'See whether Ollama is running (“ollama serve” starts it), and whether the port is right: it usually is 11434.'
      : 'See whether the address is right, and whether Ollama runs there with OLLAMA_HOST=0.0.0.0: without it, it answers its own machine only.',
  find: 'See whether the address is right: Ollama’s usually ends in :11434, with nothing behind it.',
};

const compatibleHelp: ServerHelp = {
  allow: (origin) =>
    `Allow the origin ${origin} there, then try again: in LM Studio it is “Enable CORS”, in vLLM --allowed-origins.`,
  start: (isThisMachine) =>
    isThisMachine
      ? 'See whether the server is running, and whether the port is right.'
      : 'See whether the address is right, and whether the server runs there and listens on the network, not on its own machine only.',
  find: 'See whether the address is right: it usually ends in /v1.',
};

/** What is behind a service: how it lists its models, and what to do if it cannot be used. */
export interface ServiceServer {
  readonly list: ModelListing;
  readonly help: ServerHelp;
}

/** The servers of the services, by id. Loaded with the first test of a connection. */
export const servers: Readonly<Record<string, ServiceServer>> = {
  anthropic: { list: listings.anthropic, help: hostedHelp },
  openai: { list: listings.openai, help: hostedHelp },
  google: { list: listings.google, help: hostedHelp },
  openrouter: { list: listings.openrouter, help: hostedHelp },
  ollama: { list: listings.ollama, help: ollamaHelp },
  compatible: { list: listings.compatible, help: compatibleHelp },
};
