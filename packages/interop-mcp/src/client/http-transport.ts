import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { boundBody } from './bound-body.ts';
import { addressOf } from './http-address.ts';
import type { McpHttpServer, McpTransport } from './server.ts';

/** A connection over Streamable HTTP. What is larger than a message may be fails, and redirects lead to no other origin. */
export function httpTransport(server: McpHttpServer): McpTransport {
  const { headers, signIn, fetch: given = globalThis.fetch, maxMessageBytes = 10 * 1024 * 1024 } = server;
  const bounded = async (url: string | URL, init?: RequestInit) => boundBody(await given(url, init), maxMessageBytes);
  // Around the bounds: a sign-in knows by the response which token was refused.
  const { authProvider, fetch } = signIn?.connection({ fetch: bounded }) ?? { ...server, fetch: bounded };
  return new StreamableHTTPClientTransport(addressOf(server), {
    fetch,
    redirectPolicy: 'same-origin',
    ...(headers && { requestInit: { headers } }),
    ...(authProvider && { authProvider: authProvider as never }),
  });
}
