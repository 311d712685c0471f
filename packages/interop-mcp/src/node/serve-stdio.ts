import type { Readable, Writable } from 'node:stream';
import { createInstances } from '../server/instances.ts';
import type { McpServerOptions, ServedTools } from '../server/options.ts';
import { loadSdk } from '../server/sdk.ts';
import { ownStreams } from './own-streams.ts';

/** Options of {@link serveMcpStdio}. */
export interface McpStdioOptions extends McpServerOptions {
  /** Default: those of the process, whose other output then goes to standard error. */
  readonly streams?: { readonly input: Readable; readonly output: Writable };
  /** Maximum bytes of a message; a larger one closes the connection. Default: 4 MiB. */
  readonly maxMessageBytes?: number;
}

/** An MCP server over streams. */
export interface McpStdioServer {
  /** Resolves when the client has closed its end, or after {@link McpStdioServer.close}. Never rejects. */
  readonly closed: Promise<void>;
  /** Cancels all calls, and closes the connection. */
  close(): Promise<void>;
}

/**
 * Serves a toolset to the client that started this process. Keep nothing running after `closed`, or the process stays
 * as an orphan.
 *
 * @example
 * ```ts no-run
 * import { createRegistry, emptySettings, resolveToolset } from '@utensil/core';
 * import { serveMcpStdio } from '@utensil/interop-mcp/node';
 *
 * const toolset = resolveToolset(createRegistry(), emptySettings, {});
 * const { closed } = await serveMcpStdio(toolset, { name: 'notes', version: '1.0.0' });
 * await closed;
 * ```
 */
export async function serveMcpStdio(served: ServedTools, options: McpStdioOptions): Promise<McpStdioServer> {
  const { streams, maxMessageBytes = 4 * 1024 * 1024, onError, subscribe } = options;
  const own = streams === undefined ? ownStreams() : { ...streams, release: () => undefined };
  const [sdk, stdio] = await Promise.all([loadSdk(), import('@modelcontextprotocol/server/stdio')]);
  const instances = createInstances(sdk, served, options);
  const transport = new stdio.StdioServerTransport(own.input, own.output, { maxBufferSize: maxMessageBytes });
  const connection = stdio.serveStdio((context) => instances.create(context, { pushes: true }), {
    transport,
    ...(onError && { onerror: onError }),
  });
  const unsubscribe = subscribe?.(() => instances.refresh());
  let settle: () => void;
  const closed = new Promise<void>((resolve) => (settle = resolve));
  let closing: Promise<void> | undefined;

  function close(): Promise<void> {
    closing ??= end();
    return closing;
  }

  async function end(): Promise<void> {
    unsubscribe?.();
    await connection.close().catch(() => undefined); // the other end is gone
    own.release();
    settle();
  }

  const { onclose } = transport; // the connection's
  const over = (): void => {
    onclose?.();
    void close();
  };
  Object.assign(transport, { onclose: over });
  own.output.on('error', () => void close()); // nobody reads any more
  return { closed, close };
}
