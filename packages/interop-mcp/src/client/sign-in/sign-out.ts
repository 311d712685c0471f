import type { AccountStore } from './account.ts';
import type { SignInSetup } from './begin.ts';
import { begunName } from './account.ts';
import { issuerFetch } from './issuer-fetch.ts';

/** Forgets the tokens of a user, and asks the issuer to take them back (RFC 7009). */
export async function signOut(account: AccountStore, { options, records }: SignInSetup): Promise<void> {
  const tokens = await account.exclusively(async () => {
    const held = await account.tokens();
    await account.forget();
    const { begun, ...rest } = await account.read();
    if (begun !== undefined) await records.write(begunName(begun.state, account.principal), undefined);
    await account.write(rest);
    return held;
  });
  const endpoint = tokens?.metadata.revocation_endpoint;
  if (tokens === undefined || endpoint === undefined) return;
  const { client_id, client_secret } = tokens.client;
  const body = new URLSearchParams({
    token: tokens.refreshToken ?? tokens.accessToken,
    client_id,
    ...(client_secret !== undefined && { client_secret }),
  });
  const { fetch } = issuerFetch(account.url, options.fetch);
  await fetch(endpoint, { method: 'POST', body }).catch(() => undefined); // it is forgotten here all the same
}
