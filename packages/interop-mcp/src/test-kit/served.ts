import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset } from '@utensil/core';
import type { JsonObject, Tool, Toolset } from '@utensil/core';
import { mcpHandler } from '../server/index.ts';
import type { McpCaller, McpHandler, McpHandlerOptions, ServedTools } from '../server/index.ts';

// Helpers for tests of servers.

/** A tool that takes anything and returns its name. */
export const tool = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: name,
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => name,
    ...more,
  });

export const toolsetOf = (tools: readonly Tool[]): Toolset => resolveToolset(createRegistry(tools), emptySettings, {});

export const serve = (served: ServedTools, options: Partial<McpHandlerOptions> = {}): McpHandler =>
  mcpHandler(served, { name: 'test', version: '1.0.0', ...options });

export const address = 'http://localhost/mcp';

export type Era = 'legacy' | '2026-07-28';

/** A person's answer to a question at a client. */
export type Answer = JsonObject | 'decline';

/** A client of the SDK that talks to a handler in this process. `answer`: it can ask a person. */
export async function connect(
  handler: Pick<McpHandler, 'fetch'>,
  { era = '2026-07-28', answer, caller }: { era?: Era; answer?: (message: string) => Answer; caller?: McpCaller } = {},
): Promise<Client> {
  const client = new Client(
    { name: 'tester', version: '1.0.0' },
    {
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } },
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
    },
  );
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const given = answer(params.message);
      return given === 'decline' ? { action: 'decline' } : { action: 'accept', content: given as never };
    });
  const transport = new StreamableHTTPClientTransport(new URL(address), {
    fetch: (url, init) => handler.fetch(new Request(url, init), caller && { caller }),
  });
  await client.connect(transport);
  return client;
}

const meta = (capabilities: JsonObject): JsonObject => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

/** Response of a server to a hand-written request. */
export interface RawAnswer {
  readonly status: number;
  readonly result?: { readonly [key: string]: never };
  readonly error?: { readonly code: number; readonly message: string };
}

/** Sends a call without the SDK, so that the test controls all of it. */
export async function rawCall(
  handler: Pick<McpHandler, 'fetch'>,
  params: { readonly name: string } & JsonObject,
  { caller, capabilities = { elicitation: {} } }: { caller?: McpCaller; capabilities?: JsonObject } = {},
): Promise<RawAnswer> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta: meta(capabilities), ...params } };
  const headers = { 'Mcp-Method': 'tools/call', 'Mcp-Name': params.name };
  const response = await handler.fetch(post(JSON.stringify(body), headers), caller && { caller });
  return { status: response.status, ...((await response.json()) as object) };
}

/** A request with this body. */
export const post = (body: BodyInit, headers: Record<string, string> = {}): Request =>
  new Request(address, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      ...headers,
    },
    body,
    ...({ duplex: 'half' } as object),
  });

/** A promise that the test settles. */
export function deferred<Value = void>() {
  let resolve!: (value: Value) => void;
  const promise = new Promise<Value>((settle) => (resolve = settle));
  return { promise, resolve };
}
