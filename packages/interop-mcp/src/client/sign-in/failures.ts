import { UtensilError } from '@utensil/core';

// Texts of servers and issuers are in none of them, and neither is what caused them: either may repeat a token.

/** The user has to sign in, or to allow more. */
export function signInNeeded(resource: string, scopes: readonly string[] = []): UtensilError {
  const more = scopes.length === 0 ? '' : `, and to allow: ${scopes.join(' ')}`;
  return new UtensilError('sign_in_needed', `The user has to sign in to ${new URL(resource).host}${more}.`);
}

/** A sign-in that went wrong. `retryable`: the same may succeed later. */
export function signInFailed(problem: string, retryable = false): UtensilError {
  return new UtensilError('sign_in_failed', problem, { retryable });
}

/** Codes of RFC 6749, 7591, 8707 and 9449, the only words of an issuer that are repeated. */
const knownCodes = new Set([
  'access_denied',
  'consent_required',
  'interaction_required',
  'invalid_client',
  'invalid_client_metadata',
  'invalid_dpop_proof',
  'invalid_grant',
  'invalid_redirect_uri',
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
]);

/** The code of an issuer's error; undefined if it is not one that is known. */
export function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : error;
  return typeof code === 'string' && knownCodes.has(code) ? code : undefined;
}
