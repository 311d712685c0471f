import type { AccountStore } from './account.ts';
import type { SignInSetup } from './begin.ts';
import { begunName } from './account.ts';
import { registrationName } from './client-id.ts';
import { issuerFetch } from './issuer-fetch.ts';

/** Removes the tokens of a user, and asks the issuer to revoke them (RFC 7009). */
export async function signOut(account: AccountStore, { options, records }: SignInSetup): Promise<void> {
  const { principal } = account;
  const tokens = await account.exclusively(async () => {
    const held = await account.tokens();
    await account.forget();
    const { begun, ...rest } = await account.read();
    if (begun !== undefined) await records.write(begunName(begun.state, principal), undefined);
    await account.write(rest);
    return held;
  });
  // The next sign-in registers the app again: an issuer that forgot it only tells the user.
  if (tokens !== undefined)
    await records.write(registrationName(tokens.metadata.issuer, { options, principal }), undefined);
  const endpoint = tokens?.metadata.revocation_endpoint;
  if (tokens === undefined || endpoint === undefined) return;
  const { client_id, client_secret } = tokens.client;
  const body = new URLSearchParams({
    token: tokens.refreshToken ?? tokens.accessToken,
    client_id,
    ...(client_secret !== undefined && { client_secret }),
  });
  const { fetch } = issuerFetch(account.url, options.fetch);
  await fetch(endpoint, { method: 'POST', body }).catch(() => undefined); // removed locally in any case
}
