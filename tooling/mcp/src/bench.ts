import process from 'node:process';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { JsonSchemaType } from '@modelcontextprotocol/server';
import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset } from '@utensil/core';
import { mcpHandler } from '@utensil/interop-mcp/server';

// CPU of a call over HTTP without a network: our server, and the same tools by hand on the bare SDK, in alternating rounds.
// node --conditions=@utensil/source tooling/mcp/src/bench.ts

const schema: JsonSchemaType = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `echo_${index}`);
const rounds = 7;
const calls = 500;

type Fetch = (request: Request) => Promise<Response>;

function ours(count: number): Fetch {
  const tools = names(count).map((name) =>
    defineTool({
      name,
      description: name,
      input: jsonSchema<{ text: string }>(schema as never),
      effects: 'read',
      execute: ({ text }) => text,
    }),
  );
  const toolset = resolveToolset(createRegistry(tools), emptySettings, {});
  const handler = mcpHandler(toolset, { name: 'bench', version: '1' });
  return (request) => handler.fetch(request);
}

function bare(count: number): Fetch {
  const inputSchema = fromJsonSchema<{ text: string }>(schema);
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'bench', version: '1' });
    for (const name of names(count))
      server.registerTool(name, { description: name, inputSchema }, ({ text }) => ({
        content: [{ type: 'text', text }],
      }));
    return server;
  });
  return (request) => handler.fetch(request);
}

const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'echo_0',
    arguments: { text: 'hello' },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});
const headers = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': 'tools/call',
  'Mcp-Name': 'echo_0',
};

/** Milliseconds of CPU that a call takes. */
async function measure(fetch: Fetch): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < calls; index++) {
    const text = await (await fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }))).text();
    if (!text.includes('"hello"')) throw new Error(text);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / calls;
}

for (const count of [1, 100, 1_000]) {
  const [mine, theirs] = [ours(count), bare(count)];
  const least = { mine: Infinity, theirs: Infinity };
  for (let round = 0; round < rounds; round++) {
    least.mine = Math.min(least.mine, await measure(mine));
    least.theirs = Math.min(least.theirs, await measure(theirs));
  }
  const [a, b] = [least.mine.toFixed(3), least.theirs.toFixed(3)];
  process.stdout.write(
    `${count} tools: ${a} ms a call; the bare SDK ${b} ms; ${(least.mine - least.theirs).toFixed(3)} ms more\n`,
  );
}
