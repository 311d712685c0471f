import type { McpCommand } from '../client/config.ts';
import type { McpCustomServer } from '../client/server.ts';

/** Options of {@link stdioServer} in addition to the command. */
export interface StdioServerOptions {
  /** Maximum bytes of a message; a larger one closes the connection. Default: 10 MiB. */
  readonly maxMessageBytes?: number;
}

/**
 * An MCP server as a program: it runs as long as its connection, and ends with all its descendants.
 *
 * @example
 * ```ts no-run
 * import { createRegistry } from '@utensil/core';
 * import { mcpSource } from '@utensil/interop-mcp/client';
 * import { stdioServer } from '@utensil/interop-mcp/node';
 *
 * const server = stdioServer({ command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] });
 * createRegistry().mount(mcpSource(server), { namespace: 'memory' });
 * ```
 */
export function stdioServer(command: McpCommand, options: StdioServerOptions = {}): McpCustomServer {
  const { era } = command;
  const { maxMessageBytes = 10 * 1024 * 1024 } = options;
  return {
    transport: async () => (await import('./stdio-transport.ts')).stdioTransport(command, maxMessageBytes),
    identity: identityOf(command),
    ...(era && { era }),
  };
}

const secretName = /key|token|secret|passw|auth|credential/i;

/** Variables can select another program, or its service. Secrets are left out: they are renewed, and a hash of a short one can be guessed. */
function identityOf({ command, args = [], cwd = '', env = {} }: McpCommand): string {
  const variables = Object.entries(env)
    .map(([name, value]) => [name, secretName.test(name) ? '' : value])
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  return JSON.stringify([command, args, cwd, variables]);
}
