import { isObject } from '@utensil/core';

/** Listing of models by a service, from its vendor's documentation. */
export interface ModelListing {
  /** Full address of the list; `address` is that of the service, if it has no fixed one. */
  url(address: string): string;
  headers(apiKey: string): Readonly<Record<string, string>>;
  /** Member with the entries. */
  readonly entries: 'data' | 'models';
  /** Member of an entry with the model's id. */
  readonly id: 'id' | 'name';
  /** True if some servers of this kind have no list. */
  readonly isOptional?: boolean;
  /** True if a model can chat, if the entry tells. */
  isChat?(entry: Readonly<Record<string, unknown>>): boolean;
}

const bearer = (apiKey: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${apiKey}` });

/** Appends a path to an address, with or without trailing slash. */
function under(address: string, path: string): string {
  return address.replace(/\/+$/, '') + path;
}

const openaiListing: ModelListing = {
  url: () => 'https://api.openai.com/v1/models',
  headers: bearer,
  entries: 'data',
  id: 'id',
};

/** Listings by service id. */
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
    // Lists the user's models: the list of all models needs no key, so it would not test the key.
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
    // Embedding models can be recognized by their family only.
    isChat: ({ name, details }) =>
      !/bert/i.test(isObject(details) ? String(details['family']) : '') && !/embed/i.test(String(name)),
  },
  compatible: { ...openaiListing, url: (address) => under(address, '/models'), isOptional: true },
} satisfies Readonly<Record<string, ModelListing>>;

const maximumCount = 1000;
const maximumLength = 200;

/** Model ids of a response, sorted; undefined if the response is not a list. Invalid ids are skipped. */
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

/** Rejects control characters and bidi controls. */
function isPlain(name: string): boolean {
  return name !== '' && name.length <= maximumLength && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
}
