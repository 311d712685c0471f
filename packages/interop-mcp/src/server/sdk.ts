import type * as Module from '@modelcontextprotocol/server';

/** The SDK, loaded with the first server. */
export type Sdk = typeof Module;

/** Loads the SDK. */
export const loadSdk = (): Promise<Sdk> => import('@modelcontextprotocol/server');
