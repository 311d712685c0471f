import { signInFailed } from './failures.ts';
import type { Grant, Tokens } from './account.ts';
import { scopesOf } from './scopes.ts';

/** Token response of an issuer. */
interface TokenResponse {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string | undefined;
  readonly expires_in?: number | undefined;
  readonly scope?: string | undefined;
}

/** Characters valid in a header (RFC 6750, 2.1), up to the length that servers accept. */
const tokenForm = /^[\w.~+/-]{1,16000}=*$/;

/**
 * Tokens in stored form.
 *
 * @throws `sign_in_failed` if they cannot be sent, or are not bound to the key of the request.
 */
export function receivedTokens(
  { access_token, token_type, refresh_token, expires_in, scope }: TokenResponse,
  grant: Grant,
  { asked, now }: { readonly asked: readonly string[]; readonly now: number },
): Tokens {
  const type = token_type.toLowerCase();
  if (grant.dpopKey !== undefined && type !== 'dpop')
    throw signInFailed('The server takes only tokens that are bound to a key, and the issuer has sent another one.');
  if ((type !== 'bearer' && type !== 'dpop') || !tokenForm.test(access_token))
    throw signInFailed('The issuer has sent a token of a kind that is not known here.');
  const isTimed = expires_in !== undefined && Number.isFinite(expires_in) && expires_in > 0;
  return {
    ...grant,
    accessToken: access_token,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    scopes: scope === undefined ? asked : scopesOf(scope),
    savedAt: now,
    ...(isTimed && { expiresAt: now + expires_in * 1_000 }),
  };
}
