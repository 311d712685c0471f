import type { Tool } from '@utensil/core';
import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import { changedSince } from './call-tool.ts';
import type { Called } from './call-tool.ts';
import { createCallSeals } from './call-seals.ts';
import { createConnection } from './connection.ts';
import type { Live } from './connection.ts';
import { checkHttpServer } from './http-transport.ts';
import { inTurn } from './in-turn.ts';
import { createListeners } from './listeners.ts';
import { createOngoingCalls } from './ongoing-calls.ts';
import type { McpSource, McpSourceOptions } from './options.ts';
import { remoteTool } from './remote-tool.ts';
import { identityOf } from './server.ts';
import type { McpServer } from './server.ts';
import { faultKey, outputFaultKey } from './admit-answers.ts';

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
    changed() {
      isStale = true;
      changes.notify();
    },
  });
  const called: Called = { connection, options, identity: identityOf(server), calls, listed, assertListed, seals };

  /** Another program may answer a new connection, and an announced change may concern this tool. */
  async function assertListed(live: Live, tool: ListedTool): Promise<void> {
    if (live === listedOver && !isStale) return;
    const { tools } = await listAnew();
    const key = JSON.stringify(tool);
    if (tools.some((each) => JSON.stringify(each) === key)) return;
    changes.notify();
    throw changedSince(called, tool);
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

  function toTool(tool: ListedTool, before: ReadonlyMap<string, Tool>): Tool {
    const key = JSON.stringify(tool);
    const made = before.get(key) ?? remoteTool(tool, called);
    known.set(key, made);
    if (before.get(key) === undefined) tellFaults(tool);
    return made;
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

  function toTools(tools: readonly ListedTool[]): readonly Tool[] {
    const before = known;
    known = new Map();
    return tools.map((tool) => toTool(tool, before));
  }

  function tellFaults({ name, _meta }: ListedTool): void {
    const [fault, outputFault] = [_meta?.[faultKey], _meta?.[outputFaultKey]];
    const shown = name.slice(0, 100);
    if (typeof fault === 'string') options.onProblem?.(`The tool "${shown}" cannot be used: ${fault}`);
    if (typeof outputFault === 'string')
      options.onProblem?.(`The output of the tool "${shown}" is not checked: its schema ${outputFault}.`);
  }

  return {
    toolTimeMs: toolTimeOf(options),
    async list() {
      isStale = false;
      isListing = true;
      try {
        const { live, tools } = await listAnew();
        listedOver = live;
        return toTools(tools);
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
