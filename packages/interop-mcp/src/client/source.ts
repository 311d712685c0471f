import type { Tool } from '@utensil/core';
import { createListeners } from '@utensil/core/storage';
import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import type { Called } from './call-tool.ts';
import { createCallSeals } from './call-seals.ts';
import { createConnection } from './connection.ts';
import { checkHttpServer } from './http-address.ts';
import { inTurn } from './in-turn.ts';
import type { Live } from './live.ts';
import { createOngoingCalls } from './ongoing-calls.ts';
import type { McpSource, McpSourceOptions } from './options.ts';
import { identityOf } from './server.ts';
import type { McpServer } from './server.ts';

/** Milliseconds that a result waits for a list whose change the server has announced with it. */
const longestWait = 1_000;

const defaultConnectTimeMs = 30_000;

/**
 * The tools of an MCP server, as a source for a registry. An unreachable server is retried; a problem with a tool
 * affects that tool alone.
 *
 * @throws `invalid_option` if the address is not encrypted, or not one, or if a header cannot be sent.
 *
 * @example
 * ```ts no-run
 * import { createRegistry } from '@utensil/core';
 * import { mcpSource } from '@utensil/interop-mcp/client';
 *
 * const registry = createRegistry();
 * const source = mcpSource({ url: 'https://mcp.example.com/mcp' }, { onProblem: console.warn });
 * await registry.mount(source, { namespace: 'example' }).ready;
 * ```
 */
export function mcpSource(server: McpServer, options: McpSourceOptions = {}): McpSource {
  if ('url' in server) checkHttpServer(server);
  const problems = createListeners<string>(); // if the app throws, the connection and its tools stay
  problems.subscribe((problem) => options.onProblem?.(problem));
  const tell = problems.notify;
  const changes = createListeners();
  const lists = createListeners();
  let known = new Map<string, Tool>();
  let listedOver: Live | undefined;
  let isStale = false;
  let isListing = false;
  let isListened = false;

  const seals = createCallSeals(options.seals);
  const calls = createOngoingCalls();
  const connection = createConnection(server, options, {
    calls,
    tell,
    changed() {
      isStale = true;
      changes.notify();
    },
  });
  const called: Called = {
    connection,
    options,
    tell,
    identity: identityOf(server),
    calls,
    listed,
    confirmListed,
    seals,
  };

  /**
   * Another program may answer a new connection, an announced change may concern this tool, and another registry of this
   * source may have seen the tool changed.
   */
  async function confirmListed(live: Live, tool: ListedTool): Promise<boolean> {
    const key = JSON.stringify(tool);
    if (live === listedOver && !isStale && known.has(key)) return true;
    const { tools } = await listAnew();
    if (tools.some((each) => JSON.stringify(each) === key)) return true;
    changes.notify();
    return false;
  }

  /** The notification that tools have changed may arrive just after a result: then the next step should have them. */
  async function listed(): Promise<void> {
    const { client } = await connection.live();
    if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
    await nextTask();
    if (!isListened || (!isStale && !isListing)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, longestWait);
      const unsubscribe = lists.subscribe(done);
      function done(): void {
        clearTimeout(timer);
        unsubscribe();
        resolve();
      }
    });
    await nextTask(); // the registry has it by then
  }

  /** Lists the tools once for all concurrent callers: a server can announce thousands of changes a second. */
  const listAnew = inTurn(async () => {
    const live = await connection.live();
    return { live, tools: await listTools(live) };
  });

  async function listTools({ client }: Live): Promise<readonly ListedTool[]> {
    if (client.getServerCapabilities()?.tools === undefined) return [];
    const signal = AbortSignal.timeout(options.connectTimeMs ?? defaultConnectTimeMs); // of all its pages
    const { tools } = await client.listTools(undefined, { cacheMode: 'refresh', signal });
    return tools.filter(({ name }) => options.include?.(name) ?? true);
  }

  async function toTools(tools: readonly ListedTool[]): Promise<readonly Tool[]> {
    const { remoteTool, tellFaults } = await import('./connection-code.ts'); // loaded with the connection
    const before = known;
    known = new Map();
    return tools.map((tool) => {
      const key = JSON.stringify(tool);
      if (!before.has(key)) tellFaults(tool, called);
      const made = before.get(key) ?? remoteTool(tool, called);
      known.set(key, made);
      return made;
    });
  }

  return {
    toolTimeMs: toolTimeOf(options),
    async list() {
      isStale = false;
      isListing = true;
      try {
        const { live, tools } = await listAnew();
        listedOver = live;
        return await toTools(tools);
      } finally {
        isListing = false;
        lists.notify();
      }
    },
    subscribe(listener) {
      isListened = true;
      const stop = changes.subscribe(listener);
      const stopSignIn = 'url' in server ? server.signIn?.onChange(listener) : undefined;
      return () => {
        stop();
        stopSignIn?.();
      };
    },
    get status() {
      return connection.status;
    },
    onStatus: connection.onStatus,
    close: () => connection.close(),
  };
}

/** After everything that has arrived already. */
function nextTask(): Promise<void> {
  const { setImmediate: soon = (call: () => void) => setTimeout(call, 0) } = globalThis as {
    readonly setImmediate?: (call: () => void) => unknown;
  };
  return new Promise((resolve) => void soon(resolve));
}

/**
 * Upper limit of a call: a connection, a list after one that is under way, the call itself, and the list announced with
 * its result.
 */
function toolTimeOf({ connectTimeMs = defaultConnectTimeMs, maxCallTimeMs = 600_000 }: McpSourceOptions): number {
  return 3 * connectTimeMs + maxCallTimeMs + longestWait;
}
