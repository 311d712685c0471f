import type { Principal, Secrets } from '@utensil/core';

/** Secrets of users that can be written, too. What one principal has stored is never given to another. */
export interface WritableSecrets extends Secrets {
  /** Stores a secret of the principal, or removes it: `undefined`. */
  set(key: string, value: string | undefined, options?: { readonly principal?: Principal }): Promise<void>;
  /**
   * Runs work that no other process may run at the same time under the same key. Needed where several processes share the secrets
   * and the issuer revokes all tokens if one is refreshed twice. Default: one at a time in this process.
   */
  exclusively?<Value>(key: string, work: () => Promise<Value>): Promise<Value>;
}

/** A client that was registered by hand. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret?: string;
}

/** The platform's `fetch`, or one around it. */
export type WebFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Options of {@link createSignIn}. */
export interface SignInOptions {
  /** Storage of tokens, registrations and sign-ins that have begun. */
  readonly secrets: WritableSecrets;
  /** The address that browsers return to, for `finish`: https, or http on this machine. */
  readonly redirectUrl: string;
  /** Name of the app, which issuers show to people. */
  readonly clientName: string;
  /**
   * Where the app serves its {@link clientMetadata}: https, with a path. Issuers that support it need no registration. Default: the app is
   * registered at each issuer.
   */
  readonly clientMetadataUrl?: string;
  /** Clients that were registered by hand, by issuer. Default: none. */
  readonly clients?: Readonly<Record<string, RegisteredClient>>;
  /** Milliseconds in which a sign-in can be finished. Default 2,592,000,000: 30 days. */
  readonly lifetimeMs?: number;
  /**
   * For metadata, registrations and tokens. An app with users of its own should give one that refuses names of private addresses;
   * literal ones are refused in any case. Default: the platform's.
   */
  readonly fetch?: WebFetch;
  /** Milliseconds since 1970. Default: the platform's clock. */
  readonly now?: () => number;
}

/**
 * The document to serve at `clientMetadataUrl`, by which issuers know the app (Client ID Metadata Document).
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
