import type { GoogleGenAI, GoogleGenAIOptions } from '@google/genai';
import type { Model } from '@utensil/core';
import { type ModelInfoOptions, loadPeer, once, surfaceErrors } from '@utensil/core/provider';
import type { Connection } from '../client.ts';
import { generateModel } from '../google.ts';

/** Connection of the official SDK, the package `@google/genai`, to Vertex AI. */
export interface VertexConnection
  extends Omit<Connection, 'apiKey'>, Readonly<Pick<GoogleGenAIOptions, 'project' | 'location' | 'googleAuthOptions'>> {
  /** Key for Vertex AI in express mode, instead of credentials, project and location. */
  readonly apiKey?: string;
}

/** Options of {@link googleVertex}. */
export interface GoogleVertexOptions extends VertexConnection, ModelInfoOptions {
  /** Ids for calls that came without. Default: random. */
  readonly newId?: () => string;
}

const words = {
  key: "Google's credentials, the option `googleAuthOptions` or `apiKey`",
  address: 'the options `project`, `location`, `apiVersion` and `baseUrl`',
};

/**
 * A Gemini model on Vertex AI, over generateContent. Credentials are Google's defaults, or options; project and location are options,
 * or the environment variables GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION.
 *
 * @example
 * ```ts
 * import { googleVertex } from '@utensil/provider-google/vertex';
 *
 * const model = googleVertex('gemini-3.8-flash', { project: 'my-project', location: 'europe-west1' });
 * ```
 */
export function googleVertex(modelId: string, options: GoogleVertexOptions = {}): Model {
  const { contextWindow, price, info, newId, ...connection } = options;
  return generateModel(modelId, {
    options: { contextWindow, price, info, ...(newId && { newId }) },
    vendor: 'google-vertex',
    words,
    client: once(() => create(connection)),
  });
}

async function create({
  apiKey,
  project,
  location,
  googleAuthOptions,
  ...connection
}: VertexConnection): Promise<GoogleGenAI> {
  const { GoogleGenAI: Client } = await loadPeer('@google/genai', () => import('@google/genai'));
  const careful = surfaceErrors(
    connection.fetch ?? fetch,
    async () => (await import('../failures.ts')).misreadResponses,
  );
  return new Client({
    vertexai: true,
    ...(apiKey !== undefined && { apiKey }),
    ...(project !== undefined && { project }),
    ...(location !== undefined && { location }),
    ...(googleAuthOptions !== undefined && { googleAuthOptions }),
    httpOptions: { ...connection, fetch: careful },
  });
}
