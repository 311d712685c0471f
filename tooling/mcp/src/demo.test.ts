import { spawn } from 'node:child_process';
import { request } from 'node:http';
import type { RequestOptions } from 'node:http';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';

// The demo of Node.js as a server, from its sources.

const program = join(import.meta.dirname, '../../../apps/node-demo/src/main.ts');
let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'utensil-served-'));
  mkdirSync(join(home, 'project'));
  writeFileSync(join(home, 'project/notes.md'), 'buy milk\n');
});

/** Status of the answer to a request that only a program can make. Its body is sent until there is an answer. */
function statusOf(url: string, options: RequestOptions, megabytes = 0): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', ...options }, (answer) => {
      resolve(answer.statusCode);
      sending.destroy();
    });
    sending.on('error', reject);
    for (let sent = 0; sent < megabytes; sent++) sending.write('x'.repeat(2 ** 20));
    if (megabytes === 0) sending.end('{}');
  });
}

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Requests of pages, whose names may resolve to this machine, and of programs that send too much. */
const refusals: readonly (readonly [number, RequestOptions, number?])[] = [
  [403, { headers: { ...json, host: 'evil.example' } }],
  [404, { headers: { ...json, host: '127.0.0.1@evil.example' } }], // not a host at all
  [403, { headers: { ...json, host: 'localhost.evil.example' } }],
  [403, { headers: { ...json, origin: 'null' } }],
  [403, { headers: { ...json, origin: 'https://evil.example' } }],
  [403, { headers: { ...json, origin: 'http://127.0.0.1.evil.example' } }],
  [413, { headers: { ...json, 'content-length': 5 * 2 ** 20 } }, 1],
  [413, { headers: json }, 5],
];

afterAll(() => rmSync(home, { recursive: true, force: true }));

it('the demo serves the tools of its folder, and changes a file once that was allowed', async () => {
  const client = new Client({ name: 'tester', version: '1' }, { capabilities: { elicitation: {} } });
  const answers = ['deny', 'once'];
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: { permission: answers.shift() ?? 'deny' } };
  });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--conditions=@utensil/source', program, '--serve-mcp', '--folder', join(home, 'project')],
    env: { PATH: process.env['PATH'] ?? '', UTENSIL_KEY_FILE: join(home, 'key') },
    stderr: 'pipe',
  });
  await client.connect(transport);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('read_files');
  expect(names).not.toContain('execute_command');
  expect(names).toEqual(names.toSorted());
  const { tools } = await client.listTools();
  const write = tools.find(({ name }) => name === 'write_file');
  expect(write?.annotations).toMatchObject({ readOnlyHint: false });
  const call = { name: 'write_file', arguments: { path: '/notes.md', content: 'buy bread\n' } };
  expect(await client.callTool(call)).toMatchObject({ isError: true });
  expect(readFileSync(join(home, 'project/notes.md'), 'utf8')).toBe('buy milk\n');
  expect(await client.callTool(call)).not.toMatchObject({ isError: true });
  expect(readFileSync(join(home, 'project/notes.md'), 'utf8')).toBe('buy bread\n');
  expect(asked).toHaveLength(2);
  await client.close();
});

it('the demo serves its tools on a port of this machine, to clients that it asks, until it is interrupted', async () => {
  const words = ['--conditions=@utensil/source', program, '--serve-mcp=http', '--folder', join(home, 'project')];
  const env = { PATH: process.env['PATH'], UTENSIL_KEY_FILE: join(home, 'key') };
  const demo = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => demo.on('close', resolve));
  const url = await new Promise<string>((resolve) => {
    let said = '';
    demo.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, found] = /^MCP server: (http:\/\/127\.0\.0\.1:\d+\/mcp)$/m.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const asked: string[] = [];
  const options = { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' as const } };
  const client = new Client({ name: 'tester', version: '1' }, options);
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: { permission: 'once' } };
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const call = { name: 'write_file', arguments: { path: '/over-http.md', content: 'buy tea\n' } };
  expect(await client.callTool(call)).not.toMatchObject({ isError: true });
  expect(readFileSync(join(home, 'project/over-http.md'), 'utf8')).toBe('buy tea\n');
  expect(asked).toHaveLength(1);
  for (const [status, options, megabytes] of refusals)
    expect([await statusOf(url, options, megabytes), options]).toEqual([status, options]);
  expect(await client.callTool(call)).not.toMatchObject({ isError: true }); // it still serves
  await client.close();
  demo.kill('SIGINT');
  expect(await ended).toBe(0);
});
