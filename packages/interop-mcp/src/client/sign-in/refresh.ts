import type { AccountStore, Tokens } from './account.ts';
import type { SignInSetup } from './begin.ts';
import { registrationName } from './client-id.ts';
import { dpopSession } from './dpop.ts';
import { codeOf, signInFailed, signInNeeded } from './failures.ts';
import { issuerFetch } from './issuer-fetch.ts';
import { receivedTokens } from './received-tokens.ts';
import { loadSdk } from './sdk.ts';

/**
 * Refreshes expired tokens. Of concurrent callers one refreshes, and all get its result.
 *
 * @throws `sign_in_needed` if the issuer gives no more; `sign_in_failed`, retryable, if it cannot be reached.
 */
export async function refresh(account: AccountStore, over: string, setup: SignInSetup): Promise<Tokens> {
  return account.exclusively(async () => {
    const tokens = await account.tokens();
    if (tokens === undefined) throw signInNeeded(account.url);
    if (tokens.accessToken !== over) return tokens;
    if (tokens.refreshToken === undefined) return refused(account);
    const renewed = await renew(account, { ...tokens, refreshToken: tokens.refreshToken }, setup);
    return renewed ?? (await renewedElsewhere(account, over)) ?? refused(account);
  });
}

/** Undefined if the issuer refuses. */
async function renew(
  account: AccountStore,
  tokens: Tokens & { readonly refreshToken: string },
  setup: SignInSetup,
): Promise<Tokens | undefined> {
  const { options, records, now } = setup;
  const sdk = await loadSdk();
  const { metadata, client, resource, refreshToken, scopes, dpopKey } = tokens;
  const guarded = issuerFetch(account.url, options.fetch);
  try {
    const answer = await sdk.refreshAuthorization(metadata.issuer, {
      metadata,
      clientInformation: client,
      refreshToken,
      resource,
      fetchFn: guarded.fetch,
      ...(dpopKey && { dpop: await dpopSession(sdk, dpopKey) }),
    });
    const grant = { metadata, client, resource, ...(dpopKey && { dpopKey }) };
    const renewed = receivedTokens(answer, grant, { asked: scopes, now: now() });
    await account.save(renewed);
    return renewed;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'invalid_client' || code === 'unauthorized_client')
      await records.write(registrationName(metadata.issuer, { options, principal: account.principal }), undefined);
    if (code !== undefined && code !== 'server_error' && code !== 'temporarily_unavailable') return undefined;
    throw guarded.problem() ?? signInFailed('The issuer could not renew a token. Try again later.', true);
  }
}

/** Another process may have refreshed them already. */
async function renewedElsewhere(account: AccountStore, over: string): Promise<Tokens | undefined> {
  const tokens = await account.tokens();
  return tokens?.accessToken === over ? undefined : tokens;
}

async function refused(account: AccountStore): Promise<never> {
  await account.forget();
  throw signInNeeded(account.url);
}
