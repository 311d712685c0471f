import { checkAddress } from './addresses.ts';
import { signInFailed } from './failures.ts';
import type { IssuerFetch } from './issuer-fetch.ts';
import { scopesOf } from './scopes.ts';
import type { IssuerMetadata, Sdk } from './sdk.ts';

/** Issuer of tokens for a server, and their resource. */
export interface Discovered {
  /** Issuer identifier. */
  readonly issuer: string;
  readonly metadata: IssuerMetadata;
  /** Resource identifier of the server. */
  readonly resource: string;
  readonly scopes: readonly string[];
  /** True if the server accepts only tokens bound to a key. */
  readonly needsDpop: boolean;
}

/** Endpoints of an issuer, all validated before any is used. */
const endpoints = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const;

/**
 * Discovers the issuer of tokens for a server.
 *
 * @throws `sign_in_failed` if the server or the issuer misstates its identity, or lacks a required feature.
 */
export async function discover(
  sdk: Sdk,
  {
    serverUrl,
    resourceMetadataUrl,
    guarded,
  }: { serverUrl: string; resourceMetadataUrl?: string; guarded: IssuerFetch },
): Promise<Discovered> {
  const options = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: new URL(resourceMetadataUrl) };
  const found = await sdk
    .discoverOAuthServerInfo(serverUrl, { ...options, fetchFn: guarded.fetch })
    .catch((error: unknown) => {
      if (error instanceof sdk.IssuerMismatchError)
        throw signInFailed(
          'The issuer says that it is another one than the server has named. Sign-in has been stopped.',
        );
      throw guarded.problem() ?? signInFailed('The metadata of the issuer cannot be read.');
    });
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = found;
  checkAddress(authorizationServerUrl, { of: 'The issuer', serverUrl });
  if (metadata === undefined)
    throw guarded.problem() ?? signInFailed('Neither the server nor its issuer has metadata that say how to sign in.');
  for (const each of endpoints) {
    const address = (metadata as Partial<Record<string, unknown>>)[each];
    if (typeof address === 'string') checkAddress(address, { of: `The ${each} of the issuer`, serverUrl });
  }
  if (!metadata.response_types_supported.includes('code'))
    throw signInFailed('The issuer offers no way to sign in that is supported here: it gives no codes.');
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true)
    throw signInFailed('The issuer does not say that it supports PKCE with S256, without which no sign-in is safe.');
  const resource = resourceMetadata?.resource ?? withoutHash(serverUrl);
  if (!isPartOf(serverUrl, resource))
    throw signInFailed('The server says that it is another one than that of its address. Sign-in has been stopped.');
  return {
    issuer: metadata.issuer,
    metadata,
    resource,
    scopes: scopesOf(resourceMetadata?.scopes_supported?.join(' ')),
    needsDpop: resourceMetadata?.dpop_bound_access_tokens_required === true,
  };
}

function withoutHash(address: string): string {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}

/** True if a server may use this resource identifier: it has the server's origin, and a prefix of its path. */
function isPartOf(serverUrl: string, resource: string): boolean {
  if (!URL.canParse(resource)) return false;
  const server = new URL(serverUrl);
  const named = new URL(resource);
  const folder = named.pathname.endsWith('/') ? named.pathname : `${named.pathname}/`;
  return server.origin === named.origin && `${server.pathname}/`.startsWith(folder) && named.hash === '';
}
