import type { Principal, Secrets } from '@utensil/core';

/** Writable secrets of users. A secret is only ever returned to the principal who stored it. */
export interface WritableSecrets extends Secrets {
  /** Stores a secret of the principal; `undefined` removes it. */
  set(key: string, value: string | undefined, options?: { readonly principal?: Principal }): Promise<void>;
  /**
   * Runs work exclusively among all processes, per key. Needed if several processes share the secrets and the issuer
   * revokes all tokens when one is refreshed twice. Default: exclusive in this process.
   */
  exclusively?<Value>(key: string, work: () => Promise<Value>): Promise<Value>;
}

/** A manually registered client. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret?: string;
}

/** The platform's `fetch`, or a wrapper of it. */
export type WebFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Options of {@link createSignIn}. */
export interface SignInOptions {
  /** Storage of tokens, registrations and pending sign-ins. */
  readonly secrets: WritableSecrets;
  /** Redirect address, for `finish`: https, or http on this machine. */
  readonly redirectUrl: string;
  /** Name of the app, shown by issuers. */
  readonly clientName: string;
  /**
   * Address of the app's {@link clientMetadata}: https, with a path. Issuers with support for it need no registration.
   * Default: the app registers at each issuer.
   */
  readonly clientMetadataUrl?: string;
  /** Manually registered clients by issuer. Default: none. */
  readonly clients?: Readonly<Record<string, RegisteredClient>>;
  /** Milliseconds in which a sign-in can be finished. Default: 2,592,000,000 (30 days). */
  readonly lifetimeMs?: number;
  /**
   * For metadata, registrations and tokens. An app with several users should pass one that refuses names that resolve
   * to private addresses; literal ones are always refused. Default: the platform's.
   */
  readonly fetch?: WebFetch;
  /** Milliseconds since 1970. Default: the platform's clock. */
  readonly now?: () => number;
}

/**
 * Document to serve at `clientMetadataUrl`, which identifies the app to issuers (Client ID Metadata Document).
 *
 * @example
 * ```ts
 * import { clientMetadata } from '@utensil/interop-mcp/sign-in';
 *
 * const document = clientMetadata({
 *   clientName: 'Notes',
 *   redirectUrl: 'https://notes.example/signed-in',
 *   clientMetadataUrl: 'https://notes.example/client.json',
 * });
 * console.log(JSON.stringify(document));
 * ```
 */
export function clientMetadata({
  clientName,
  redirectUrl,
  clientMetadataUrl,
}: Pick<SignInOptions, 'clientName' | 'redirectUrl' | 'clientMetadataUrl'>) {
  return {
    ...(clientMetadataUrl !== undefined && { client_id: clientMetadataUrl }),
    client_name: clientName,
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: redirectUrl.startsWith('https:') ? 'web' : 'native',
  };
}
