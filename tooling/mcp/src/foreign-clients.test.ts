import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { serveMcpHttp } from '@utensil/interop-mcp/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundledProgram } from '../../fixtures/workspace/bundled-program.ts';
import { fixtureTools } from './fixture-tools.ts';

// Clients that others wrote, against the fixtures: the inspector of MCP, and the client of the AI SDK.

const modules = join(import.meta.dirname, '../node_modules');
const inspector = join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');
let fixture: readonly [string];

beforeAll(async () => {
  fixture = [await bundledProgram(join(import.meta.dirname, 'serve-fixture.ts'), modules)];
});

function inspect(...args: readonly string[]): Promise<{ readonly code: unknown; readonly output: string }> {
  return new Promise((resolve) => {
    const all = [inspector, '--cli', ...args, '--format', 'json', '-q'];
    execFile(process.execPath, all, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, output: stdout || stderr });
    });
  });
}

describe('the inspector', () => {
  it.each(['legacy', 'modern'])('lists and lints the tools over stdio, in the era %s', async (era) => {
    const { code, output } = await inspect(
      ...[process.execPath, ...fixture],
      ...['--protocol-era', era, '--method', 'tools/list', '--strict'],
    );
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toContain('test_structured');
    expect(output).toContain('destructiveHint');
  });

  it('calls a tool over HTTP, and reads what it gives as structured', async () => {
    const server = await serveMcpHttp(fixtureTools().served, { name: 'fixture', version: '1.0.0' });
    const call = ['--method', 'tools/call', '--tool-name', 'test_structured', '--tool-arg', 'n=21'];
    const { code, output } = await inspect(server.url, '--transport', 'http', ...call);
    await server.close();
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(JSON.stringify(JSON.parse(output))).toContain('"structuredContent":{"twice":42}');
  });
});

describe('the client of the AI SDK', () => {
  it('lists and calls tools over HTTP', async () => {
    const server = await serveMcpHttp(fixtureTools().served, { name: 'fixture', version: '1.0.0' });
    const client = await createMCPClient({ transport: { type: 'http', url: server.url } });
    const { test_structured: tool } = await client.tools();
    const result: unknown = await tool?.execute({ n: 21 }, {
      toolCallId: '1',
      messages: [],
      context: undefined,
    } as never);
    expect(result).toMatchObject({ structuredContent: { twice: 42 } });
    await client.close();
    await server.close();
  });

  it('does so over stdio', async () => {
    const transport = new Experimental_StdioMCPTransport({ command: process.execPath, args: [...fixture] });
    const client = await createMCPClient({ transport });
    expect(Object.keys(await client.tools())).toContain('test_simple_text');
    await client.close();
  });
});

describe('the process of a server', () => {
  it('ends when its client is gone, though a call is under way', async () => {
    const child = spawn(process.execPath, fixture, { stdio: ['pipe', 'pipe', 'inherit'] });
    const clientInfo = { name: 'leaver', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    await once(child.stdout, 'data');
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'test_waits' } };
    child.stdin.end(`${JSON.stringify(call)}\n`);
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
  });
});
