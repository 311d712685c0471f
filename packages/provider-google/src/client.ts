import type { GoogleGenAI, HttpOptions } from '@google/genai';
import type { UtensilError } from '@utensil/core';
import { once, loadPeer, surfaceErrors } from '@utensil/core/provider';

/** Connection of the official SDK, the package `@google/genai`, to its server. */
export interface Connection extends Readonly<
  Pick<HttpOptions, 'apiVersion' | 'baseUrl' | 'fetch' | 'headers' | 'timeout'>
> {
  readonly apiKey?: string;
}

/** The client that was passed, or else one that is made when it is first needed. */
export function connect<Given>(
  given: Given | undefined,
  connection: Connection,
  modelId: string,
): () => Promise<Given | GoogleGenAI> {
  return given === undefined ? once(() => create(connection, modelId)) : () => Promise.resolve(given);
}

async function create({ apiKey = keyFromEnvironment(), ...connection }: Connection, modelId: string) {
  // Without one the SDK warns on the console, and looks for credentials in the network.
  if (!apiKey) throw await missingKey(modelId);
  const { GoogleGenAI } = await loadPeer('@google/genai', () => import('@google/genai'));
  const careful = surfaceErrors(
    connection.fetch ?? fetch,
    async () => (await import('./failures.ts')).misreadResponses,
  );
  return new GoogleGenAI({ apiKey, httpOptions: { ...connection, fetch: careful } });
}

async function missingKey(modelId: string): Promise<UtensilError> {
  const { modelError, modelFailures } = await import('./failures.ts');
  return modelError(modelFailures.missingKey, { modelId, words });
}

/** The same variables in the same order as the SDK has them. */
function keyFromEnvironment(): string | undefined {
  const { process }: { process?: { env?: Readonly<Record<string, string | undefined>> } } = globalThis as object;
  return process?.env?.['GOOGLE_API_KEY'] || process?.env?.['GEMINI_API_KEY'];
}

/** Source of the key and the address. */
export const words = {
  key: 'GEMINI_API_KEY or the option `apiKey`',
  address: 'the options `apiVersion` and `baseUrl`',
};
