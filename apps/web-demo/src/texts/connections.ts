// Texts of connections to services. They are loaded with the connection test, so that the first screen is smaller.
import { formats } from './english.ts';
import type { PluralForms } from '@utensil/elements/texts';

function number(value: number): string {
  return formats.number(value);
}

function plural(count: number, forms: PluralForms): string {
  return formats.plural(count, forms);
}

/** The connection test, and why a server cannot be reached. */
const connection = {
  test: 'Test connection',
  cancel: 'Cancel test',
  testing: 'Testing…',
  answers: 'Connected: the model answers. The server does not list its models.',
  noModels: 'Connected, but the service lists no chat models.',
  connected: (count: number): string =>
    `Connected: ${number(count)} ${plural(count, { one: 'model', other: 'models' })}.`,
  notListed: (count: number, model: string): string =>
    `Connected: ${number(count)} ${plural(count, { one: 'model', other: 'models' })}, but “${model}” is not one of them. Choose one from the list.`,
  redirected: (service: string, origin: string): string =>
    `${service} at ${origin} redirects to another address, and your key is not sent there. If you trust that address, enter it instead.`,
  noServer: (service: string): string => `${service} has no server to connect to.`,
  noList: (origin: string, service: string, help: string): string =>
    `${origin} responds, but not with a list of models as ${service} does. ${help}`,
  noListAt: (url: string, status: number, help: string): string =>
    `${url} responds, but not with a list of models (status ${status}). ${help}`,
  keyRejected: (service: string, status: number): string =>
    `${service} rejected your API key (status ${status}). Save another one, or check its permissions with the service.`,
  keyNeeded: (service: string, status: number): string =>
    `${service} requires an API key (status ${status}). Save one for this address, then test again.`,
  rateLimited: (service: string): string =>
    `${service} is receiving too many requests (status 429). Wait a little, then test again.`,
  failing: (service: string, status: number): string =>
    `${service} failed (status ${status}). Test again later, or check its log.`,
  timedOut: (place: string, seconds: number, help: string): string =>
    `${place} did not respond within ${number(seconds)} seconds. ${help}`,
  mixedContent: (place: string): string =>
    `This page was loaded over https, and browsers do not let such a page use ${place}, which is plain http. Give the server an https address, or open this app over http on your own computer (npm run demo:web).`,
  policy: (place: string): string =>
    `The security policy of this page (Content-Security-Policy, connect-src) does not allow ${place}. The host of this app has to add that address to the policy.`,
  cors: (service: string, place: string, help: string): string =>
    `${service} at ${place} responds, but does not allow this page to read the response (CORS). ${help}`,
  localNetwork: (origin: string): string =>
    `The browser does not let this page use your local network. Allow local network access for ${origin} in the browser’s site settings, then try again.`,
  noAnswer: (place: string, help: string): string => `Nothing responds at ${place}. ${help}`,
};

/** Help with a server, by the kind of its service. */
const serverHelp = {
  hosted: {
    allow: (_origin: string): string =>
      'A browser extension or a proxy in your network may be blocking it. Try again without it.',
    startHere: 'Check that you are online and that your network allows this address.',
    startThere: 'Check that you are online and that your network allows this address.',
    find: 'A proxy in your network may be interfering. Try again later.',
  },
  ollama: {
    allow: (origin: string): string =>
      `Set OLLAMA_ORIGINS=${origin} in Ollama’s environment, restart it, then try again.`,
    startHere: 'Check that Ollama is running (“ollama serve” starts it) and the port is correct, usually 11434.',
    startThere:
      'Check that the address is correct and that Ollama runs there with OLLAMA_HOST=0.0.0.0. Without it, Ollama only accepts connections from its own computer.',
    find: 'Check that the address is correct: for Ollama it usually ends in :11434.',
  },
  compatible: {
    allow: (origin: string): string =>
      `Allow the origin ${origin} on the server, then try again. In LM Studio, turn on “Enable CORS”; in vLLM, set --allowed-origins.`,
    startHere: 'Check that the server is running and the port is correct.',
    startThere:
      'Check that the address is correct, and that the server is running and accepts connections from other computers.',
    find: 'Check that the address is correct: it usually ends in /v1.',
  },
};

/** Both tables, in English. */
export const englishConnections = { connection, serverHelp };
