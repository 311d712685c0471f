import { UtensilError } from '@utensil/core';
import type { Principal } from '@utensil/core';
import { refused } from './gate.ts';
import type { McpCaller } from './options.ts';

/** Claims of a token, after its signature was checked or its issuer asked. */
export interface VerifiedToken {
  readonly principal: Principal;
  /** Audience of the token. */
  readonly audience: string | readonly string[];
  /** Expiry, in milliseconds since 1970. */
  readonly expiresAt: number;
  readonly scopes?: readonly string[];
}

/** OAuth bearer tokens, accepted by the server and never passed on. */
export interface BearerAuth {
  /** Address of this server as known to clients: a token with another audience is refused. */
  readonly resource: string;
  /** Addresses of accepted issuers. */
  readonly authorizationServers: readonly string[];
  /** Scopes required for every request. Default: none. */
  readonly scopes?: readonly string[];
  /** Verifies a token; undefined if it is invalid. Throws if it could not be checked. */
  verify(token: string): Promise<VerifiedToken | undefined>;
}

/** Checks the tokens of requests. */
export interface Bearer {
  /** Responds with the server's protected resource metadata (RFC 9728), if they are requested. */
  metadata(request: Request): Response | undefined;
  check(request: Request): Promise<McpCaller | Response>;
}

const wellKnown = '/.well-known/oauth-protected-resource';

/** @throws `invalid_option` if the resource is not an address. */
export function createBearer(
  { resource, authorizationServers, scopes = [], verify }: BearerAuth,
  onError?: (error: Error) => void,
): Bearer {
  if (!URL.canParse(resource))
    throw new UtensilError('invalid_option', `\`auth.resource\` must be the server's address; got "${resource}".`);
  const { origin, pathname } = new URL(resource);
  const path = `${wellKnown}${pathname === '/' ? '' : pathname}`;
  const own = bare(resource);

  function challenge(status: 401 | 403, error?: 'invalid_token' | 'insufficient_scope'): Response {
    const parts = [
      ...(error === undefined ? [] : [`error="${error}"`]),
      ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
      `resource_metadata="${origin}${path}"`,
    ];
    const message = status === 403 ? 'The token lacks a scope.' : 'A valid bearer token for this server is needed.';
    return refused(status, message, { 'WWW-Authenticate': `Bearer ${parts.join(', ')}` });
  }

  function isForUs({ audience, expiresAt }: VerifiedToken): boolean {
    const all = typeof audience === 'string' ? [audience] : audience;
    return all.some((each) => bare(each) === own) && expiresAt > Date.now();
  }

  return {
    metadata({ url, method }) {
      if (new URL(url).pathname !== path) return undefined;
      if (method !== 'GET') return new Response(null, { status: 405, headers: { Allow: 'GET' } });
      const metadata = {
        resource,
        authorization_servers: authorizationServers,
        bearer_methods_supported: ['header'],
        ...(scopes.length > 0 && { scopes_supported: scopes }),
      };
      return Response.json(metadata, { headers: { 'Access-Control-Allow-Origin': '*' } });
    },
    async check({ headers }) {
      const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(headers.get('authorization') ?? '') ?? [];
      if (token === undefined) return challenge(401);
      try {
        const verified = await verify(token);
        if (verified === undefined || !isForUs(verified)) return challenge(401, 'invalid_token');
        const { principal, scopes: granted = [] } = verified;
        if (!scopes.every((each) => granted.includes(each))) return challenge(403, 'insufficient_scope');
        return { principal, scopes: granted };
      } catch (cause) {
        onError?.(new UtensilError('tool_failed', 'A bearer token could not be checked.', { cause }));
        return refused(503, 'The token cannot be checked at the moment.');
      }
    },
  };
}

/** An address without a trailing slash. */
function bare(address: string): string {
  return address.replace(/\/$/, '');
}
