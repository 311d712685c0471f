import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The program as users get it: from tarballs, in a folder that knows nothing of this repository.

const root = join(import.meta.dirname, '../../..');
const names = ['core', 'interop-mcp', 'storage-filesystem'];
let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'utensil-packed-'));
  const pack = ['pack', '--silent', '--ignore-scripts', ...names.map(build)]; // all at once: npm takes long to start
  const tarballs = execFileSync('npm', pack, { cwd: home, encoding: 'utf8' }).trim().split('\n');
  for (const [index, name] of names.entries()) install(name, tarballs[index]);
  mkdirSync(join(home, 'notes'));
  writeFileSync(join(home, 'notes/todo.md'), 'buy milk\n');
  writeFileSync(join(home, 'tools.js'), tools);
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

const tools = `
import { defineTool, host, jsonSchema } from '@utensil/core';
console.log('a module that writes where the protocol is');
const input = jsonSchema({ type: 'object', properties: { path: { type: 'string' } }, required: ['path'] });
export const read = defineTool({
  name: 'read', description: 'Reads a note.', input, effects: 'read', requires: { files: host.files },
  execute: async ({ path }, _options, { host: { files } }) => {
    console.log('a tool that writes there too');
    setInterval(() => undefined, 1_000); // which leaves something running
    return (await files.readText(path)).text;
  },
});
export const remove = defineTool({
  name: 'remove', description: 'Removes a note.', input, effects: 'destructive', requires: { files: host.files },
  execute: ({ path }, _options, { host: { files } }) => files.remove(path),
});
`;

/** Builds the package in a copy, which is returned. */
function build(name: string): string {
  const [source, work] = [join(root, 'packages', name), join(home, `work-${name}`)];
  mkdirSync(work);
  for (const entry of readdirSync(source))
    if (!['dist', 'node_modules'].includes(entry)) cpSync(join(source, entry), join(work, entry), { recursive: true });
  execFileSync(process.execPath, [join(root, 'tooling/packages/build.ts'), '--code'], { cwd: work });
  return work;
}

/** Unpacks the tarball of a package next to the packages that it depends on. */
function install(name: string, tarball = ''): void {
  const source = join(root, 'packages', name);
  const target = join(home, 'node_modules/@utensil', name);
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', join(home, tarball), '-C', target, '--strip-components=1']);
  for (const scope of ['@modelcontextprotocol', '@cfworker', '@noble'].filter((each) => hasScope(source, each)))
    for (const each of readdirSync(join(source, 'node_modules', scope))) link(source, join(scope, each));
}

function hasScope(source: string, scope: string): boolean {
  return readdirSync(join(source, 'node_modules')).includes(scope);
}

function link(source: string, name: string): void {
  mkdirSync(join(home, 'node_modules', name, '..'), { recursive: true });
  symlinkSync(realpathSync(join(source, 'node_modules', name)), join(home, 'node_modules', name));
}

const program = (): string => join(home, 'node_modules/@utensil/interop-mcp/bin.js');

async function start(...args: readonly string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program(), ...args],
    cwd: home,
    stderr: 'pipe',
  });
  const client = new Client({ name: 'tester', version: '1' }, { capabilities: { elicitation: {} } });
  return { client, transport };
}

const run = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [program(), ...args], { cwd: home }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }),
  );

describe('the program from the tarball', () => {
  it('serves the tools of a module with the files of a folder, asks, and ends with its client', async () => {
    const { client, transport } = await start('--tools', 'tools.js', '--dir', 'notes');
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { permission: 'once' } };
    });
    await client.connect(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read', 'remove']);
    const read = await client.callTool({ name: 'read', arguments: { path: '/todo.md' } });
    expect(read.content).toEqual([{ type: 'text', text: 'buy milk\n' }]);
    await client.callTool({ name: 'remove', arguments: { path: '/todo.md' } });
    expect(asked).toHaveLength(1);
    expect(readdirSync(join(home, 'notes'))).not.toContain('todo.md');
    const { pid } = transport;
    await client.close();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('prints its usage, and the error in its arguments', async () => {
    expect((await run('--help')).text).toContain('utensil-mcp --tools');
    expect(await run()).toMatchObject({ code: 1, text: expect.stringContaining('--tools') as string });
    expect(await run('--tools', 'tools.js', '--ask', 'never')).toMatchObject({ code: 1 });
    expect(await run('--tools', 'absent.js')).toMatchObject({ code: 1 });
  });
});

function isAlive(pid: number | null): boolean {
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false;
  }
}
