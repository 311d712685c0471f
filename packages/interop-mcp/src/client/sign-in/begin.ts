import { begunName } from './account.ts';
import type { AccountChanged, AccountStore, Begun, SignInRequest, TokenIssuer } from './account.ts';
import { checkAddress } from './addresses.ts';
import { clientIdAt } from './client-id.ts';
import { discover } from './discovery.ts';
import { newDpopKey } from './dpop.ts';
import { signInFailed } from './failures.ts';
import { issuerFetch } from './issuer-fetch.ts';
import type { SignInOptions } from './options.ts';
import type { SignInRecords } from './records.ts';
import { hasScopes, joinScopes, scopesOf } from './scopes.ts';
import { loadSdk } from './sdk.ts';
import type { IssuerMetadata, Sdk } from './sdk.ts';

/** A pending sign-in. */
export interface BegunSignIn extends SignInRequest {
  /** The issuer's page for the user to open. Anyone who opens it signs in for the principal who began. */
  readonly url: string;
  /** Expiry, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** State shared by all sign-ins. */
export interface SignInSetup {
  readonly options: SignInOptions;
  readonly records: SignInRecords;
  readonly changed: AccountChanged;
  readonly now: () => number;
}

const defaultLifetimeMs = 30 * 24 * 60 * 60 * 1_000;

/** Begins a sign-in, or returns a pending one with the same scopes. */
export async function begin(
  account: AccountStore,
  scopes: readonly string[],
  setup: SignInSetup,
): Promise<BegunSignIn> {
  return account.exclusively(async () => {
    const known = await account.read();
    const held = (await account.tokens())?.scopes ?? [];
    const wanted = joinScopes(joinScopes(held, known.wanted ?? []), scopes);
    return (await waiting(account, wanted, setup)) ?? beginNew(account, wanted, setup);
  });
}

/** The pending sign-in, if it is sufficient and not expired. */
async function waiting(
  account: AccountStore,
  wanted: readonly string[],
  { records, now }: SignInSetup,
): Promise<BegunSignIn | undefined> {
  const { begun } = await account.read();
  if (begun === undefined || begun.expiresAt <= now() || !hasScopes(begun.scopes, wanted)) return undefined;
  if ((await records.read<Begun>(begunName(begun.state, account.principal))) === undefined) return undefined;
  const { state: _, ...shown } = begun;
  return shown;
}

async function beginNew(account: AccountStore, wanted: readonly string[], setup: SignInSetup): Promise<BegunSignIn> {
  const { options, records, now } = setup;
  const { principal, url: serverUrl } = account;
  const { begun: before, ...known } = await account.read();
  const sdk = await loadSdk();
  const guarded = issuerFetch(serverUrl, options.fetch);
  const { resourceMetadataUrl } = known;
  const where = { serverUrl, guarded, ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }) };
  const found = await discover(sdk, where);
  const { issuer, metadata, resource } = found;
  const client = await clientIdAt(found, { sdk, options, records, principal, guarded, now });
  const asked = scopesToAsk(wanted, found);
  const dpopKey = await keyFor(sdk, metadata, found.needsDpop || known.needsDpop === true);
  const state = randomText();
  const { authorizationUrl, codeVerifier } = await sdk
    .startAuthorization(issuer, {
      metadata,
      clientInformation: client,
      redirectUrl: options.redirectUrl,
      state,
      resource,
      ...(asked.length > 0 && { scope: asked.join(' ') }),
    })
    .catch(() => {
      throw signInFailed('The issuer offers no way to sign in that is supported here.');
    });
  if (dpopKey !== undefined) authorizationUrl.searchParams.set('dpop_jkt', dpopKey.thumbprint);
  const { href: url } = checkAddress(authorizationUrl, { of: 'The page to sign in', serverUrl });
  const expiresAt = now() + (options.lifetimeMs ?? defaultLifetimeMs);
  const begun: Begun = {
    serverUrl,
    codeVerifier,
    scopes: asked,
    expiresAt,
    metadata: tokenIssuer(metadata),
    client,
    resource,
    ...(dpopKey && { dpopKey }),
  };
  if (before !== undefined) await records.write(begunName(before.state, principal), undefined);
  await records.write(begunName(state, principal), begun);
  const shown = { url, issuer, scopes: asked, expiresAt };
  await account.write({ ...known, begun: { ...shown, state } });
  return shown;
}

/** Scopes requested by the server, otherwise every scope that it lists; with offline access, if supported. */
function scopesToAsk(
  wanted: readonly string[],
  { scopes, metadata }: { readonly scopes: readonly string[]; readonly metadata: IssuerMetadata },
): readonly string[] {
  const asked = wanted.length > 0 ? wanted : scopes;
  const offline = scopesOf(metadata.scopes_supported?.join(' ')).filter((each) => each === 'offline_access');
  return joinScopes(asked, offline);
}

/** A key to bind tokens to, if the server requires it. */
async function keyFor(sdk: Sdk, metadata: IssuerMetadata, isNeeded: boolean) {
  if (!isNeeded) return undefined;
  const { dpop_signing_alg_values_supported: algorithms } = metadata as { dpop_signing_alg_values_supported?: unknown };
  if (Array.isArray(algorithms) && algorithms.includes('ES256')) return newDpopKey(sdk);
  throw signInFailed(
    'The server takes only tokens that are bound to a key (DPoP), which its issuer does not offer for ES256.',
  );
}

function tokenIssuer(metadata: IssuerMetadata): TokenIssuer {
  const { issuer, authorization_endpoint, token_endpoint, response_types_supported } = metadata;
  const {
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint: revocation,
    authorization_response_iss_parameter_supported: hasIss,
  } = metadata as Partial<TokenIssuer>;
  return {
    issuer,
    authorization_endpoint,
    token_endpoint,
    response_types_supported,
    ...(methods && { token_endpoint_auth_methods_supported: methods }),
    ...(revocation !== undefined && { revocation_endpoint: revocation }),
    ...(hasIss !== undefined && { authorization_response_iss_parameter_supported: hasIss }),
  };
}

/** 256 random bits. */
function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
