import type * as Module from '@modelcontextprotocol/client';

/** The SDK, loaded with the first connection. */
export type Sdk = typeof Module;

/** Loads the SDK. */
export const loadSdk = (): Promise<Sdk> => import('@modelcontextprotocol/client');
