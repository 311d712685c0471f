import type { GoogleGenAI, HttpOptions } from '@google/genai';
import { errorOf } from './errors.ts';
import { outspoken } from './fetch.ts';

/** How the official SDK, the package `@google/genai`, reaches its server. */
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
  let made: Promise<GoogleGenAI> | undefined;
  return async function client() {
    if (given !== undefined) return given;
    made ??= create(connection, modelId).catch((error: unknown) => {
      made = undefined; // a key may be there the next time
      throw error;
    });
    return made;
  };
}

async function create({ apiKey = keyFromEnvironment(), ...connection }: Connection, modelId: string) {
  // Without one the SDK warns on the console, and looks for credentials in the network.
  if (!apiKey) throw errorOf('missingKey', modelId);
  const { GoogleGenAI } = await import('@google/genai');
  return new GoogleGenAI({ apiKey, httpOptions: { ...connection, fetch: outspoken(connection.fetch ?? fetch) } });
}

/** The same variables in the same order as the SDK has them. */
function keyFromEnvironment(): string | undefined {
  const { process }: { process?: { env?: Readonly<Record<string, string | undefined>> } } = globalThis as object;
  return process?.env?.['GOOGLE_API_KEY'] || process?.env?.['GEMINI_API_KEY'];
}
