import { UtensilError } from '@utensil/core';

// Errors contain neither texts of servers and issuers nor causes: either may include a token.

/** The user must sign in, or allow more. */
export function signInNeeded(resource: string, scopes: readonly string[] = []): UtensilError {
  const more = scopes.length === 0 ? '' : `, and to allow: ${scopes.join(' ')}`;
  return new UtensilError('sign_in_needed', `The user has to sign in to ${new URL(resource).host}${more}.`);
}

/** A failed sign-in. `retryable`: a retry may succeed. */
export function signInFailed(problem: string, retryable = false): UtensilError {
  return new UtensilError('sign_in_failed', problem, { retryable });
}

/** Codes of RFC 6749, 7591, 8707 and 9449, the only text of an issuer that is repeated. */
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

/** Code of an issuer's error; undefined if it is not a known one. */
export function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : error;
  return typeof code === 'string' && knownCodes.has(code) ? code : undefined;
}
