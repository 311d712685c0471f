import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset, run, runTool } from '@utensil/core';
import type { JsonSchema, Registry, Tool } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { mcpSource } from '@utensil/interop-mcp/client';
import type { McpTransport } from '@utensil/interop-mcp/client';
import { stdioServer } from '@utensil/interop-mcp/node';

// Costs of MCP servers as sources of tools, compared with the bare SDK and tools of the app, in alternating rounds.
// node --conditions=@utensil/source tooling/mcp/src/bench-client.ts

const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const least = (values: readonly number[]): number => Math.min(...values);
const schema: JsonSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

/** Milliseconds of CPU, or of wall time, that work takes. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function wallOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** A server in this process with some tools, over a transport without a network. */
function serverOf(count: number): McpTransport {
  const tools = Array.from({ length: count }, (_, index) => ({
    name: `echo_${String(index).padStart(4, '0')}`,
    description: 'Gives back what it gets.',
    inputSchema: schema,
  }));
  const results: Readonly<Record<string, (params: never) => object>> = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'bench', version: '1' },
    }),
    'tools/list': () => ({ tools }),
    'tools/call': ({ arguments: { text } }: { readonly arguments: { readonly text: string } }) => ({
      content: [{ type: 'text', text }],
    }),
  };
  const transport: McpTransport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(transport.onclose?.()),
    async send(message) {
      const { id, method, params } = message as {
        readonly id?: number;
        readonly method: string;
        readonly params: never;
      };
      const result = results[method]?.(params);
      if (id !== undefined) queueMicrotask(() => transport.onmessage?.({ jsonrpc: '2.0', id, result } as never));
    },
  };
  return transport;
}

const official = ['everything', 'filesystem', 'memory'].map((name) => ({
  command: process.execPath,
  args: [
    join(import.meta.dirname, `../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`),
    ...(name === 'filesystem' ? [tmpdir()] : []),
  ],
}));

/** Start of servers: on the bare SDK each by itself and all at once, and all at once as sources. */
async function starts(): Promise<void> {
  const alone = official.map((): number[] => []);
  const bare: number[] = [];
  const together: number[] = [];
  let count = 0;
  for (let round = 0; round < 5; round++) {
    for (const [index, command] of official.entries()) {
      const client = newClient();
      alone[index]?.push(await wallOf(() => listOver(client, command)));
      await client.close();
    }
    const clients = official.map(newClient);
    bare.push(
      await wallOf(() =>
        Promise.all(official.map((command, index) => listOver(clients[index] ?? newClient(), command))),
      ),
    );
    await Promise.all(clients.map((client) => client.close()));
    const registry = createRegistry();
    const sources = official.map((command) => mcpSource(stdioServer(command)));
    together.push(
      await wallOf(() =>
        Promise.all(sources.map((source, index) => registry.mount(source, { namespace: `s${index}` }).ready)),
      ),
    );
    count = registry.list().length;
    await Promise.all(sources.map((source) => source.close()));
  }
  const slowest = Math.max(...alone.map(least));
  const [ratio, overBare] = [slowest, least(bare)].map((base) => (least(together) / base).toFixed(2));
  print(
    `start of three servers with ${count} tools: ${least(together).toFixed(0)} ms; the slowest alone ${slowest.toFixed(0)} ms: ${ratio} times (target 1.5); all at once on the bare SDK ${least(bare).toFixed(0)} ms: ${overBare} times`,
  );
}

function newClient(): Client {
  return new Client({ name: 'bench', version: '1' });
}

async function listOver(client: Client, command: (typeof official)[number]): Promise<void> {
  await client.connect(new StdioClientTransport({ ...command, stderr: 'ignore' }));
  await client.listTools();
}

const own = defineTool({
  name: 'own',
  description: 'Gives back what it gets.',
  input: jsonSchema<{ text: string }>(schema),
  effects: 'destructive',
  execute: ({ text }) => text,
});

/** A registry with the tools of a server, or with as many of the app's own. */
async function remote(count: number): Promise<Registry> {
  const registry = createRegistry([own]);
  const transport = serverOf(count);
  await registry.mount(mcpSource({ transport: () => transport }), { namespace: 'x' }).ready;
  if (registry.list().length !== count + 1) throw new Error('The tools are not there.');
  return registry;
}

function local(count: number): Registry {
  const tool = (index: number): Tool =>
    defineTool({
      name: `x_echo_${String(index).padStart(4, '0')}`,
      description: 'Gives back what it gets.',
      input: jsonSchema<{ text: string }>(schema),
      effects: 'destructive',
      execute: ({ text }) => text,
    });
  return createRegistry([own, ...Array.from({ length: count }, (_, index) => tool(index))]);
}

/** A call by the model's tool, compared with one by the SDK's client. */
async function callCost(): Promise<void> {
  const calls = 1_000;
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(serverOf(1) as never);
  const tool = (await remote(1)).get('x_echo_0000');
  if (tool === undefined) throw new Error('The tool is not there.');
  const times = (work: () => Promise<unknown>) => async (): Promise<void> => {
    for (let index = 0; index < calls; index++) await work();
  };
  const input = { text: 'hello' };
  const ours = times(() => runTool(tool, input));
  const bare = times(() => client.callTool({ name: 'echo_0000', arguments: input }));
  const taken = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < 7; round++) {
    taken.ours.push(await cpuOf(ours));
    taken.bare.push(await cpuOf(bare));
  }
  const [mine, theirs] = [least(taken.ours) / calls, least(taken.bare) / calls];
  print(
    `a call: ${mine.toFixed(3)} ms; the bare SDK ${theirs.toFixed(3)} ms: ${(mine - theirs).toFixed(3)} ms more (target 1)`,
  );
}

/** Definitions of many tools once, and a step of a run with them, compared with as many tools of the app. */
async function manyTools(count: number): Promise<void> {
  const registry = await remote(count);
  const definitions = await cpuOf(async () => {
    const listed = resolveToolset(registry, emptySettings, {}).definitions({ api: 'bench' });
    if (listed.length !== count + 1) throw new Error('They are not all there.');
  });
  print(`definitions of ${count} remote tools: ${definitions.toFixed(1)} ms once (target 50)`);
  const steps = 50;
  const stepOf = (of: Registry, called: string) => async (): Promise<void> => {
    const script = Array.from({ length: steps }, (_, index) => ({
      calls: [{ name: called, input: { text: `${index}` } }],
    }));
    const toolset = () => resolveToolset(of, emptySettings, {});
    const model = scriptedModel([...script, { text: 'Done.' }]);
    const { status } = await run({ model, toolset, messages: 'Go.', limits: { steps: steps + 1 } }).result;
    if (status !== 'complete') throw new Error(status);
  };
  const ofApp = local(count);
  const measured = {
    'beside remote tools, of a tool of the app': stepOf(registry, 'own'),
    'beside tools of the app, of a tool of the app': stepOf(ofApp, 'own'),
    'beside remote tools, of a remote tool': stepOf(registry, 'x_echo_0000'),
  };
  const taken = new Map<string, number>();
  for (let round = 0; round < 9; round++)
    for (const [name, step] of Object.entries(measured))
      taken.set(name, Math.min(taken.get(name) ?? Infinity, await cpuOf(step)));
  for (const [name, ms] of taken) print(`a step with ${count} tools, ${name}: ${(ms / steps).toFixed(3)} ms`);
}

await callCost();
await manyTools(10);
await manyTools(1_000);
await starts();
process.exit(0);
