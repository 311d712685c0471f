import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UtensilError } from '@utensil/core';
import { mcpHandler } from '../server/handler.ts';
import type { McpHandlerOptions } from '../server/handler.ts';
import { cardPath } from '../server/card.ts';
import { loopbackNames } from '../server/gate.ts';
import type { ServedTools } from '../server/options.ts';
import { respond, toRequest } from './web.ts';

/** Options of {@link serveMcpHttp}. */
export interface McpHttpOptions extends McpHandlerOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** Address to listen on. Addresses beyond this machine require `auth` and `allowedHosts`. Default: `127.0.0.1`. */
  readonly host?: string;
  /** Default: `/mcp`. */
  readonly path?: string;
  /** Maximum number of open connections; further ones are closed at once. Default: 1,000. */
  readonly maxConnections?: number;
  /** True to serve everyone who can reach an address beyond this machine. Default: false. */
  readonly allowUnauthenticated?: boolean;
}

/** An MCP server on a port. */
export interface McpHttpServer {
  /** Its address. */
  readonly url: string;
  /** Cancels all calls, closes all connections, and stops listening. */
  close(): Promise<void>;
}

/** Maximum milliseconds for a request to arrive. */
const patienceMs = 30_000;

/**
 * Serves a toolset on a port, for any number of clients.
 *
 * @throws `invalid_option` if other machines can reach the address, without `auth` or without `allowedHosts`.
 *
 * @example
 * ```ts no-run
 * import { createRegistry, emptySettings, resolveToolset } from '@utensil/core';
 * import { serveMcpHttp } from '@utensil/interop-mcp/node';
 *
 * const toolset = resolveToolset(createRegistry(), emptySettings, {});
 * const server = await serveMcpHttp(toolset, { name: 'notes', version: '1.0.0', port: 3000 });
 * console.log(server.url);
 * ```
 */
export async function serveMcpHttp(served: ServedTools, options: McpHttpOptions): Promise<McpHttpServer> {
  const { host = '127.0.0.1', port = 0, path = '/mcp', maxConnections = 1_000, onError } = options;
  checkReach(options);
  const handler = mcpHandler(served, options);
  const server = createServer(
    { requestTimeout: patienceMs, headersTimeout: patienceMs, connectionsCheckingInterval: 5_000 },
    (incoming, outgoing) => {
      const request = toRequest(incoming, outgoing);
      const isOurs = request !== undefined && isPath(request.url, path);
      const answer = isOurs ? handler.fetch(request) : Promise.resolve(new Response(null, { status: 404 }));
      answer
        .catch((cause: unknown) => {
          onError?.(new UtensilError('tool_failed', 'A request failed inside the server.', { cause }));
          return new Response(null, { status: 500 });
        })
        .then((response) => respond(outgoing, response))
        .catch(() => outgoing.destroy()); // the client has left
    },
  );
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}${path}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await handler.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function isPath(url: string, path: string): boolean {
  const { pathname } = new URL(url);
  return (
    pathname === path ||
    pathname === `${path}${cardPath}` ||
    pathname.startsWith('/.well-known/oauth-protected-resource')
  );
}

function checkReach({ host = '127.0.0.1', auth, allowedHosts, allowUnauthenticated = false }: McpHttpOptions): void {
  if (host === '::1' || loopbackNames.includes(host)) return;
  if (auth === undefined && !allowUnauthenticated)
    throw new UtensilError(
      'invalid_option',
      `An MCP server on "${host}" can be reached from other machines: give it \`auth\`, or listen on 127.0.0.1.`,
    );
  if (allowedHosts === undefined)
    throw new UtensilError(
      'invalid_option',
      `An MCP server on "${host}" needs \`allowedHosts\`: the names by which its clients call it.`,
    );
}
