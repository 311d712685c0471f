import type { Principal } from '@utensil/core';
import { codeOf, signInFailed } from './failures.ts';
import type { Discovered } from './discovery.ts';
import type { IssuerFetch } from './issuer-fetch.ts';
import { clientMetadata } from './options.ts';
import type { SignInOptions } from './options.ts';
import type { RecordName, SignInRecords } from './records.ts';
import type { Sdk } from './sdk.ts';

/** The app's identity at an issuer. */
export interface ClientId {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly token_endpoint_auth_method?: string;
}

interface Registration extends ClientId {
  /** Expiry, in milliseconds since 1970. Absent: never. */
  readonly expiresAt?: number;
}

/** Inputs of an identity. */
export interface ClientSetup {
  readonly sdk: Sdk;
  readonly options: SignInOptions;
  readonly records: SignInRecords;
  readonly principal: Principal | undefined;
  readonly guarded: IssuerFetch;
  readonly now: () => number;
}

/**
 * Identity of the app at an issuer: manual, the address of its metadata, or a registration, created if necessary.
 *
 * @throws `sign_in_failed` if there is no way.
 */
export async function clientIdAt(found: Discovered, setup: ClientSetup): Promise<ClientId> {
  const { options, records, now } = setup;
  const { issuer, metadata } = found;
  const byHand = options.clients?.[issuer] ?? options.clients?.[issuer.replace(/\/$/, '')];
  if (byHand !== undefined)
    return {
      client_id: byHand.clientId,
      ...(byHand.clientSecret !== undefined && { client_secret: byHand.clientSecret }),
    };
  if (options.clientMetadataUrl !== undefined && metadata.client_id_metadata_document_supported === true)
    return { client_id: options.clientMetadataUrl };
  const name = registrationName(issuer, setup);
  const stored = await records.read<Registration>(name);
  if (stored !== undefined && (stored.expiresAt ?? Infinity) > now()) return stored;
  if (metadata.registration_endpoint === undefined)
    throw signInFailed(
      `${new URL(issuer).host} registers no apps by itself: register this one by hand, and give it in \`clients\`.`,
    );
  const registered = await register(found, setup);
  await records.write(name, registered);
  return registered;
}

/** Key of a registration, which is valid for one redirect address. */
export function registrationName(
  issuer: string,
  { options, principal }: Pick<ClientSetup, 'options' | 'principal'>,
): RecordName {
  return { kind: 'client', principal, of: [issuer, options.redirectUrl] };
}

async function register(
  { issuer, metadata }: Discovered,
  { sdk, options, guarded }: ClientSetup,
): Promise<Registration> {
  const { clientMetadataUrl: _, ...own } = options;
  const registering = sdk.registerClient(issuer, {
    metadata,
    clientMetadata: clientMetadata(own),
    fetchFn: guarded.fetch,
  });
  const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } = await registering.catch(
    (error: unknown) => {
      throw guarded.problem() ?? signInFailed(`The issuer has refused to register the app${named(error)}.`);
    },
  );
  return {
    client_id,
    ...(client_secret !== undefined && { client_secret }),
    ...(token_endpoint_auth_method !== undefined && { token_endpoint_auth_method }),
    ...(client_secret !== undefined && client_secret_expires_at && { expiresAt: client_secret_expires_at * 1_000 }),
  };
}

function named(error: unknown): string {
  const code = codeOf(error);
  return code === undefined ? '' : ` (${code})`;
}
