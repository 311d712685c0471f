import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset } from '@utensil/core';
import type { Toolset } from '@utensil/core';
import { serveMcpHttp } from '@utensil/interop-mcp/node';

// An authorization server on this machine, of a library that others keep, and an MCP server that takes its tokens.

/** A request to the issuer, as a test sees it. */
export type Asked = Record<string, number>;

export interface Issuer {
  readonly url: string;
  /** Number of requests by path. */
  readonly asked: Asked;
  readonly provider: Provider;
  /** Opens a page as the browser of a user who allows everything, and gives the address that it ends at. */
  browse(url: string, user: string): Promise<string>;
  /** Revokes all grants. */
  close(): Promise<void>;
}

const scopes = 'tools files';

/** `tokenSeconds`: how long an access token is valid. `pages`: the origin whose pages may ask it. */
export async function startIssuer({ tokenSeconds = 600, dpop = false, pages = '' } = {}): Promise<Issuer> {
  const asked: Asked = {};
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, configuration(tokenSeconds, dpop));
  const callback = provider.callback();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? '';
    asked[path] = (asked[path] ?? 0) + 1;
    if (pages !== '') allowPages(response, pages);
    if (pages !== '' && request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (!path.startsWith('/interaction/')) return await callback(request, response);
    await interact(provider, request, response);
  }

  return {
    url,
    asked,
    provider,
    browse: (page, user) => browse(page, { user, issuer: url }),
    close: () => new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  };
}

function allowPages(response: ServerResponse, pages: string): void {
  response.setHeader('access-control-allow-origin', pages);
  response.setHeader('access-control-allow-headers', '*, authorization');
  response.setHeader('access-control-allow-methods', '*');
}

function configuration(tokenSeconds: number, dpop: boolean): object {
  return {
    cookies: { keys: ['a key for tests'] },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    scopes: ['openid', 'offline_access', ...scopes.split(' ')],
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    ttl: { Session: 600, Interaction: 600, Grant: 6_000, AccessToken: tokenSeconds, RefreshToken: 6_000 },
    clientDefaults: { token_endpoint_auth_method: 'none' },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      dPoP: { enabled: dpop, nonceSecret: Buffer.alloc(32, 1), requireNonce: () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, audience: string) => ({
          scope: scopes,
          audience,
          accessTokenTTL: tokenSeconds,
        }),
        useGrantedResource: () => true,
      },
    },
  };
}

/** Submits the pages as a user would who allows everything. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    const accountId = String(request.headers['x-user'] ?? 'ada'); // a real browser names nobody
    return provider.interactionFinished(request, response, { login: { accountId } });
  }
  const ids = { accountId: session?.accountId ?? '', clientId: String(params['client_id']) };
  const grant = (grantId === undefined ? undefined : await provider.Grant.find(grantId)) ?? new provider.Grant(ids);
  const missing = prompt.details as { missingOIDCScope?: string[]; missingResourceScopes?: Record<string, string[]> };
  if (missing.missingOIDCScope) grant.addOIDCScope(missing.missingOIDCScope.join(' '));
  for (const [resource, names] of Object.entries(missing.missingResourceScopes ?? {}))
    grant.addResourceScope(resource, names.join(' '));
  const saved = await grant.save();
  return provider.interactionFinished(
    request,
    response,
    { consent: { grantId: saved } },
    { mergeWithLastSubmission: true },
  );
}

async function browse(page: string, { user, issuer }: { user: string; issuer: string }): Promise<string> {
  const cookies = new Map<string, string>();
  for (let at = page, hops = 0; hops < 12; hops++) {
    if (!at.startsWith(issuer)) return at;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { redirect: 'manual', headers: { cookie, 'x-user': user } });
    for (const each of response.headers.getSetCookie()) {
      const [pair = ''] = each.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const next = response.headers.get('location');
    if (next === null) throw new Error(`The issuer shows a page: ${response.status} ${await response.text()}`);
    at = new URL(next, at).href;
  }
  throw new Error('The issuer redirects for ever.');
}

/** A tool that says for whom it works. */
export const toolsetFor = (user: string): Toolset => {
  const whoami = defineTool({
    name: 'whoami',
    description: 'Says who it works for.',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => user,
  });
  return resolveToolset(createRegistry([whoami]), emptySettings, {});
};

/** An MCP server that takes tokens of an issuer, with these scopes. */
export async function startProtected(
  issuer: Pick<Issuer, 'url' | 'provider'>,
  options: { readonly scopes?: readonly string[]; readonly port?: number; readonly pages?: string } = {},
) {
  const { scopes: needed = [], port: given, pages } = options;
  const port = given ?? (await freePort());
  const resource = `http://127.0.0.1:${port}/mcp`;
  return serveMcpHttp(({ principal }) => toolsetFor(principal?.id ?? 'nobody'), {
    name: 'protected',
    version: '1.0.0',
    port,
    ...(pages !== undefined && { allowedOrigins: [pages] }),
    auth: {
      resource,
      authorizationServers: [issuer.url],
      scopes: needed,
      async verify(token) {
        const found = await issuer.provider.AccessToken.find(token);
        if (found === undefined || found.accountId === undefined) return undefined;
        const { accountId, aud, exp = 0, scope = '' } = found;
        return { principal: { id: accountId }, audience: aud ?? '', expiresAt: exp * 1_000, scopes: scope.split(' ') };
      },
    },
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
