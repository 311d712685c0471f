import { isObject } from '@utensil/core';

/** How a service lists its models, as its vendor documents it. */
export interface ModelListing {
  /** The whole address of the list; `address` is that of the service, if it may be anywhere. */
  url(address: string): string;
  headers(apiKey: string): Readonly<Record<string, string>>;
  /** The member that has the entries. */
  readonly entries: 'data' | 'models';
  /** The member of an entry that names its model. */
  readonly id: 'id' | 'name';
  /** Some servers of this kind have no list. */
  readonly isOptional?: boolean;
  /** Whether a model can chat, if an entry tells. */
  isChat?(entry: Readonly<Record<string, unknown>>): boolean;
}

const bearer = (apiKey: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${apiKey}` });

/** An address with a path behind it, whatever slashes the address ends in. */
function under(address: string, path: string): string {
  return address.replace(/\/+$/, '') + path;
}

const openaiListing: ModelListing = {
  url: () => 'https://api.openai.com/v1/models',
  headers: bearer,
  entries: 'data',
  id: 'id',
};

/** The lists of the services, by id. */
export const listings = {
  anthropic: {
    url: () => 'https://api.anthropic.com/v1/models?limit=1000',
    headers: (apiKey) => ({
      ...bearer(apiKey),
      'anthropic-version': '2026-10-21',
      'anthropic-dangerous-direct-browser-access': 'true',
    }),
    entries: 'data',
    id: 'id',
  },
  openai: openaiListing,
  google: {
    url: () => 'https://generativelanguage.googleapis.com/v1/models?pageSize=1000',
    headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
    entries: 'models',
    id: 'name',
    isChat: ({ supportedGenerationMethods: methods }) => !Array.isArray(methods) || methods.includes('generateContent'),
  },
  openrouter: {
    // The models of the user: the list of all models asks for no key, and so would say nothing about it.
    url: () => 'https://openrouter.ai/api/v1/models/user',
    headers: bearer,
    entries: 'data',
    id: 'id',
    isChat({ architecture }) {
      const output = isObject(architecture) ? architecture['output_modalities'] : undefined;
      return !Array.isArray(output) || output.includes('text');
    },
  },
  ollama: {
    url: (address) => under(address, '/api/tags'),
    headers: bearer,
    entries: 'models',
    id: 'name',
    // An embedding model is known by its family alone.
    isChat: ({ name, details }) =>
      !/bert/i.test(isObject(details) ? String(details['family']) : '') && !/embed/i.test(String(name)),
  },
  compatible: { ...openaiListing, url: (address) => under(address, '/models'), isOptional: true },
} satisfies Readonly<Record<string, ModelListing>>;

const maximumCount = 1000;
const maximumLength = 200;

/** The ids of the models in an answer, sorted; undefined if the answer is no list. What cannot be an id is passed over. */
export function modelsIn(answer: unknown, { entries, id, isChat }: ModelListing): readonly string[] | undefined {
  const list = isObject(answer) ? answer[entries] : undefined;
  if (!Array.isArray(list)) return undefined;
  const ids = new Set<string>();
  for (const entry of list as readonly unknown[]) {
    if (ids.size === maximumCount) break;
    const name = isObject(entry) && isChat?.(entry) !== false ? entry[id] : undefined;
    if (typeof name === 'string' && isPlain(name)) ids.add(name.replace(/^models\//, ''));
  }
  return [...ids].sort();
}

/** Nothing invisible: no control characters, and none that turn the direction of text. */
function isPlain(name: string): boolean {
  return name !== '' && name.length <= maximumLength && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
}
