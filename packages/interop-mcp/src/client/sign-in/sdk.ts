import type * as Module from './oauth.ts';

/** The parts of the SDK used by sign-in, loaded with the first one. */
export type Sdk = typeof Module;

export const loadSdk = (): Promise<Sdk> => import('./oauth.ts');

/** Metadata of an authorization server (RFC 8414). */
export type IssuerMetadata = NonNullable<Awaited<ReturnType<Sdk['discoverAuthorizationServerMetadata']>>>;
