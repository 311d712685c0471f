import { join } from 'node:path';
import process from 'node:process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createRegistry, emptySettings, resolveToolset, runTool, textOf } from '@utensil/core';
import type { JsonObject, Settings, Toolset } from '@utensil/core';
import { withEnabled } from '@utensil/core/settings';
import { mcpSource, readMcpConfig } from '@utensil/interop-mcp/client';
import type { McpServer, McpSourceOptions } from '@utensil/interop-mcp/client';
import { serveMcpHttp, stdioServer } from '@utensil/interop-mcp/node';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundledProgram } from '../../fixtures/workspace/bundled-program.ts';
import { fixtureTools } from './fixture-tools.ts';

const fixture = { command: process.execPath, args: [''] };

beforeAll(async () => {
  const modules = join(import.meta.dirname, '../node_modules');
  fixture.args = [await bundledProgram(join(import.meta.dirname, 'serve-fixture.ts'), modules)];
});

afterEach(() => void vi.useRealTimers());

/** View of our stdio server by a client of the official SDK. */
async function askServer(): Promise<void> {
  const client = new Client({ name: 'tests', version: '1' });
  await client.connect(new StdioClientTransport(fixture)); // initializes
  expect(client.getServerVersion()).toMatchObject({ name: 'fixture' });
  expect(await client.ping()).toEqual({});
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('test_structured');
  const call = (name: string, input: JsonObject = {}, options = {}) =>
    client.callTool({ name, arguments: input }, options);
  expect(await call('test_structured', { n: 21 })).toMatchObject({ structuredContent: { twice: 42 } });
  expect(await call('test_structured', { n: 'x' })).toMatchObject({ isError: true });
  expect(await call('test_error_handling')).toMatchObject({ isError: true });
  await expect(call('no_such_tool')).rejects.toMatchObject({ code: -32602 });
  const left = new AbortController();
  const waiting = call('test_waits', {}, { signal: left.signal });
  left.abort();
  await expect(waiting).rejects.toBeInstanceOf(Error);
  expect(await client.ping()).toEqual({}); // and goes on
  await client.close();
}

/** A server that says nothing, or nothing after it was listed. */
function silent(answered: readonly string[]): McpServer {
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'silent', version: '1' },
    },
    'tools/list': { tools: [{ name: 'wait', inputSchema: { type: 'object' } }] },
  };
  return {
    transport() {
      const transport: ReturnType<typeof made> = made();
      function made() {
        return {
          onmessage: undefined as ((message: never) => void) | undefined,
          onclose: undefined as (() => void) | undefined,
          start: () => Promise.resolve(),
          close: () => Promise.resolve(transport.onclose?.()),
          async send(message: object) {
            const { id, method = '' } = message as { readonly id?: number; readonly method?: string };
            if (answered.includes(method))
              queueMicrotask(() => transport.onmessage?.({ jsonrpc: '2.0', id, result: results[method] } as never));
          },
        };
      }
      return transport;
    },
  };
}

/** The problems of a silent server, and the end of a call of it: whether it was over a moment before, and its result. */
async function waitFor(ms: number, answered: readonly string[], options: McpSourceOptions = {}) {
  const problems: string[] = [];
  const registry = createRegistry();
  const source = mcpSource(silent(answered), options);
  const { ready } = registry.mount(source, { namespace: 'x', onProblem: (problem) => problems.push(problem) });
  await passed(ready);
  const tool = registry.get('x_wait');
  if (tool === undefined) return { problems };
  let isOver = false;
  const calling = runTool(tool, {}).finally(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(ms - 1);
  const wasOver = isOver;
  const { output } = await passed(calling);
  return { problems, wasOver, output };
}

/** Lets virtual time pass until something has happened. */
async function passed<Value>(work: Promise<Value>): Promise<Value> {
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  while (!state.isDone) await vi.advanceTimersByTimeAsync(1_000);
  return done;
}

describe('MCP', () => {
  it('[S2-42] [A2-08] is spoken as a server and as a client: by configuration, over stdio and HTTP, with safe names, lists, limits of time and servers that are dead', async () => {
    await askServer();

    const about = { name: 'fixture', version: '1.0.0' };
    const [http, dying] = await Promise.all([1, 2].map(() => serveMcpHttp(fixtureTools().served, about)));
    if (http === undefined || dying === undefined) throw new Error('They are not there.');
    const long = 'a server with a name that is far too long for any model to take it';
    const config = {
      mcpServers: {
        files: { ...fixture, command: '${NODE}', enabled_tools: ['test_structured', 'test_image_content'] },
        [long]: { url: http.url, disabled_tools: ['test_waits'] },
        dying: {
          url: dying.url,
          enabled_tools: ['test_simple_text', 'test_error_handling'],
          disabled_tools: ['test_error_handling'],
        },
        dead: { command: process.execPath, args: ['-e', 'process.exit(1)'] },
        unset: { command: 'x', env: { KEY: '${MISSING}' } },
        off: { command: 'x', enabled: false },
      },
    };
    const { servers, problems } = readMcpConfig(config, { variables: { NODE: process.execPath }, stdio: stdioServer });
    expect(problems).toEqual([expect.stringMatching(/^The MCP server "unset" .*MISSING, which is not set/)]);
    expect(servers.map(({ name }) => name)).toEqual(['files', long, 'dying', 'dead']);

    const told: string[] = [];
    const registry = createRegistry();
    const mounts = servers.map(({ namespace, server, include }) =>
      registry.mount(mcpSource(server, { name: namespace, ...(include && { include }) }), {
        namespace,
        onProblem: (problem) => told.push(problem),
      }),
    );
    await Promise.all(mounts.map(({ ready }) => ready));
    expect(told).toEqual([expect.stringContaining('"dead"')]); // it costs no other

    let settings: Settings = emptySettings;
    const toolset = (): Toolset => resolveToolset(registry, settings, {});
    const names = (): readonly string[] =>
      toolset()
        .definitions({ api: 'tests' })
        .map(({ name }) => name);
    const ofFiles = ['files_test_image_content', 'files_test_structured'];
    expect(names().filter((name) => name.startsWith('files_'))).toEqual(ofFiles);
    expect(names().filter((name) => name.startsWith('dying_'))).toEqual(['dying_test_simple_text']);
    const ofLong = names().filter((name) => !/^(files|dying)_/.test(name));
    expect(ofLong.length).toBeGreaterThan(10);
    expect(ofLong.some((name) => name.endsWith('waits'))).toBe(false);
    for (const name of names()) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);

    const call = (name: string, input: JsonObject = {}) => {
      const tool = toolset().tool(name);
      if (tool === undefined) throw new Error(`There is no tool ${name}.`);
      return runTool(tool, input);
    };
    const image = await call('files_test_image_content');
    expect(image.modelParts.map(({ type }) => type)).toContain('image');
    expect(await call('files_test_structured', { n: 21 })).toMatchObject({ output: { twice: 42 } });
    const several = ofLong.find((name) => name.includes('test_multiple')) ?? '';
    expect((await call(several)).modelParts.map(({ type }) => type)).toEqual(['text', 'image', 'text']);
    expect(textOf((await call('dying_test_simple_text')).modelParts)).toContain('simple text');
    await dying.close();
    const failed = await call('dying_test_simple_text');
    expect(failed).toMatchObject({ isError: true, output: expect.stringContaining('cannot be reached') as string });

    const structured = registry.get('files_test_structured');
    if (structured === undefined) throw new Error('It is gone.');
    settings = withEnabled(settings, structured, false); // a switch for each tool
    expect(names().filter((name) => name.startsWith('files_'))).toEqual(['files_test_image_content']);
    await Promise.all(mounts.map(({ unmount }) => unmount()));
    expect(names()).toEqual([]);
    await http.close();

    vi.useFakeTimers();
    const [unanswered] = (await waitFor(0, [])).problems;
    expect(unanswered).toContain('there was no answer in 30 seconds');
    const listed = ['initialize', 'tools/list'];
    expect(await waitFor(300_000, listed, { callTimeMs: 300_000 })).toEqual({
      problems: [],
      wasOver: false,
      output: expect.stringContaining('did not end the call in its time') as string,
    });
  });
});
