import { createHash, webcrypto } from 'node:crypto';
import { mcpHandler } from '@utensil/interop-mcp/server';
import { type Issuer, toolsetFor } from './issuer.ts';

// An MCP server that takes only tokens that are bound to a key (RFC 9449), and wants a nonce of its own in each proof.

export const boundUrl = 'http://127.0.0.1:1/mcp';

const nonce = 'a-nonce-of-the-server';

export interface BoundServer {
  /** Answers for {@link boundUrl}; all else goes to the network. */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Proofs that were taken. */
  readonly proofs: ReadonlySet<string>;
}

export function boundServer({ url: issuerUrl, provider }: Pick<Issuer, 'url' | 'provider'>): BoundServer {
  const proofs = new Set<string>();

  async function serve(request: Request): Promise<Response> {
    const { pathname, origin } = new URL(request.url);
    const metadataAt = '/.well-known/oauth-protected-resource/mcp';
    if (pathname === metadataAt) {
      const metadata = {
        resource: boundUrl,
        authorization_servers: [issuerUrl],
        dpop_bound_access_tokens_required: true,
      };
      return Response.json(metadata);
    }
    const refused = (more: string): Response => {
      const challenge = `DPoP ${more}resource_metadata="${origin}${metadataAt}"`;
      return new Response(null, { status: 401, headers: { 'www-authenticate': challenge, 'dpop-nonce': nonce } });
    };
    const [, token] = /^DPoP (.+)$/.exec(request.headers.get('authorization') ?? '') ?? [];
    if (token === undefined) return refused('');
    const proof = await readProof(request.headers.get('dpop') ?? '');
    if (proof?.nonce !== nonce) return refused('error="use_dpop_nonce", ');
    const found = await provider.AccessToken.find(token);
    const isProven =
      proof.htm === request.method &&
      proof.htu === boundUrl &&
      proof.ath === createHash('sha256').update(token).digest('base64url') &&
      proof.thumbprint === found?.jkt &&
      !proofs.has(proof.jti);
    if (!isProven || found?.accountId === undefined) return refused('error="invalid_token", ');
    proofs.add(proof.jti);
    return mcpHandler(toolsetFor(found.accountId), { name: 'bound', version: '1.0.0' }).fetch(request);
  }

  /** A client that has gone gets no answer: it would renew a token for a refused request that nobody waits for. */
  async function answer(request: Request): Promise<Response> {
    const response = await serve(request);
    request.signal.throwIfAborted();
    return response;
  }

  return {
    proofs,
    fetch: (url, init) =>
      String(url).startsWith(new URL(boundUrl).origin) ? answer(new Request(url, init)) : fetch(url, init),
  };
}

interface Proof {
  readonly jti: string;
  readonly htm: string;
  readonly htu: string;
  readonly ath: string;
  readonly nonce?: string;
  readonly thumbprint: string;
}

/** Reads a proof; undefined if it is malformed, or its signature does not fit its key. */
async function readProof(jwt: string): Promise<Proof | undefined> {
  const [head = '', body = '', signature = ''] = jwt.split('.');
  if (signature === '') return undefined;
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const { jwk } = read(head);
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const key = await webcrypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
  const signed = Buffer.from(`${head}.${body}`);
  if (!(await webcrypto.subtle.verify(algorithm, key, Buffer.from(signature, 'base64url'), signed))) return undefined;
  const { crv, kty, x, y } = jwk;
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { ...read(body), thumbprint };
}
