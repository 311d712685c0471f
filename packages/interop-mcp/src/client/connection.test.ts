import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { createRegistry, emptySettings, resolveToolset, run, textOf } from '@utensil/core';
import type { Registry, Toolset } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { describe, expect, it } from 'vitest';
import { serveMcpHttp, stdioServer } from '../node/index.ts';
import { deferred, tool, toolsetOf } from '../test-kit/served.ts';
import { mounted, until } from '../test-kit/sources.ts';
import { mcpSource } from './index.ts';
import type { McpEra } from './index.ts';

const kit = (name: string): string => join(import.meta.dirname, '../test-kit', name);
const about = { name: 'test', version: '1.0.0' };

/** A served registry, and a function that announces its changes. */
function served(registry: Registry): { readonly source: () => Toolset; readonly subscribe: Registry['subscribe'] } {
  return { source: () => resolveToolset(registry, emptySettings, {}), subscribe: registry.subscribe };
}

const eras: readonly McpEra[] = ['legacy', 'modern', 'auto'];

describe('over HTTP', () => {
  it.each(eras)('tools are listed and called in the era %s', async (era) => {
    const server = await serveMcpHttp(toolsetOf([tool('echo', { execute: (input) => input })]), about);
    const { names, call, source, unmount } = await mounted({ url: server.url, era });
    expect(names()).toEqual(['x_echo']);
    expect(await call('x_echo', { a: 1 })).toMatchObject({ output: '{"a":1}', isError: false });
    expect(source.status).toMatchObject({ state: 'ready', server: { name: 'test' } });
    await unmount();
    expect(source.status.state).toBe('closed');
    await server.close();
  });

  it('a call fails while the server is gone, and goes through when it is back at its address', async () => {
    const toolset = toolsetOf([tool('echo')]);
    const first = await serveMcpHttp(toolset, about);
    const { port } = new URL(first.url);
    const { call, source, names, unmount } = await mounted({ url: first.url });
    await first.close();
    const failed = await call('x_echo');
    expect(failed).toMatchObject({ isError: true, output: expect.stringContaining('cannot be reached') as string });
    expect(source.status.state).toBe('degraded');
    expect(names()).toEqual(['x_echo']);
    const second = await serveMcpHttp(toolset, { ...about, port: Number(port) });
    await until(() => source.status.state === 'ready', 'connected again');
    expect(await call('x_echo')).toMatchObject({ output: 'echo' });
    await unmount();
    await second.close();
  });

  it('its own headers go with each request, and the token of its provider', async () => {
    const seen: (string | null)[][] = [];
    const server = await serveMcpHttp(toolsetOf([tool('echo')]), about);
    const { unmount } = await mounted({
      url: server.url,
      headers: { 'X-Team': 'blue' },
      authProvider: { token: () => Promise.resolve('secret') },
      fetch: (url, init) => {
        const headers = new Headers(init?.headers);
        seen.push([headers.get('x-team'), headers.get('authorization')]);
        return fetch(url, init);
      },
    });
    expect(new Set(seen.map(String))).toEqual(new Set(['blue,Bearer secret']));
    await unmount();
    await server.close();
  });

  it('closing does not wait for a server that does not answer', async () => {
    const asked = deferred();
    const source = mcpSource({
      url: 'http://127.0.0.1:1/mcp',
      fetch: () => (asked.resolve(), new Promise<Response>(() => undefined)),
    });
    const listing = source.list({ signal: new AbortController().signal });
    await asked.promise;
    await source.close();
    expect(source.status.state).toBe('closed');
    await expect(listing).rejects.toThrow('it was closed.');
  });

  it('a message that is too large fails its call alone', async () => {
    const large = tool('large', { execute: () => 'x'.repeat(50_000) });
    const server = await serveMcpHttp(toolsetOf([large, tool('echo')]), about);
    const { call, unmount } = await mounted({ url: server.url, maxMessageBytes: 20_000 });
    expect(await call('x_large')).toMatchObject({
      isError: true,
      output: expect.stringContaining('more than 20000 bytes') as string,
    });
    expect(await call('x_echo')).toMatchObject({ output: 'echo' });
    await unmount();
    await server.close();
  });

  it.each([
    ['http://mcp.example.com/', 'not encrypted'],
    ['ftp://localhost/', 'neither https: nor http:'],
    ['https://user:word@example.com/', 'has a name or a password in it'],
    ['nonsense', 'must start with https://'],
  ])('the address %s is refused', (url, reason) => {
    expect(() => mcpSource({ url })).toThrow(reason);
    expect(() => mcpSource({ url })).not.toThrow('word@');
  });
});

describe('cancellation', () => {
  it('reaches a server over stdio', async () => {
    const { call, unmount } = await mounted(stdioServer({ command: process.execPath, args: [kit('tree-server.ts')] }));
    const controller = new AbortController();
    const calling = call('x_wait', {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    expect(await calling).toMatchObject({ code: 'tool_cancelled' });
    expect(await call('x_cancelled')).toMatchObject({ output: [1] });
    await unmount();
  });

  it('reaches a server over HTTP since 2026-07-28', async () => {
    const { promise: begun, resolve: begin } = deferred<AbortSignal>();
    const wait = tool('wait', {
      execute: (_input, _options, { signal }) => {
        begin(signal);
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve('left'), { once: true }));
      },
    });
    const server = await serveMcpHttp(toolsetOf([wait]), about);
    const { call, unmount } = await mounted({ url: server.url });
    const controller = new AbortController();
    const calling = call('x_wait', {}, { signal: controller.signal });
    const signal = await begun;
    controller.abort();
    expect(await calling).toMatchObject({ code: 'tool_cancelled' });
    await until(() => signal.aborted, 'cancelled at the server');
    await unmount();
    await server.close();
  });
});

describe('tools that change', () => {
  it.each([
    ['over stdio', 'before'],
    ['over stdio', 'after'],
  ])('%s are those of the next step, though they are announced %s the result', async (_, when) => {
    const registry = createRegistry();
    const source = mcpSource(stdioServer({ command: process.execPath, args: [kit('changing-server.ts'), when] }));
    const { ready, unmount } = registry.mount(source, { namespace: 'x' });
    await ready;
    const model = scriptedModel([{ calls: [{ name: 'x_add' }] }, { calls: [{ name: 'x_added' }] }, {}]);
    const { result } = run({ model, toolset: () => resolveToolset(registry, emptySettings, {}), messages: 'Go on.' });
    const { messages } = await result;
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name).join())).toEqual([
      'x_add',
      'x_add,x_added',
      'x_add,x_added',
    ]);
    expect(JSON.stringify(messages)).toContain('added was called');
    await unmount();
  });

  it('over HTTP since 2026-07-28 are told as well', async () => {
    const registry = createRegistry([tool('one')]);
    const { source, subscribe } = served(registry);
    const server = await serveMcpHttp(source, { ...about, subscribe });
    const { names, unmount } = await mounted({ url: server.url });
    registry.register(tool('two'));
    await until(() => names().length === 2, 'listed anew');
    expect(names()).toEqual(['x_one', 'x_two']);
    await unmount();
    await server.close();
  });
});

describe('the process of a server', () => {
  const alive = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };

  /** A program that starts a server, which has a child of its own that heeds nothing. */
  async function startTree() {
    const made = await mounted(stdioServer({ command: process.execPath, args: [kit('tree-server.ts')] }));
    const { output } = await made.call('x_pids');
    return { ...made, pids: output as unknown as readonly number[] };
  }

  it('ends with its source, along with its child processes', async () => {
    const { pids, unmount } = await startTree();
    expect(pids.every(alive)).toBe(true);
    await unmount();
    await until(() => !pids.some(alive), 'all of them ended');
  });

  it('may be killed in the middle of a call, which reports it; the next call starts a new one', async () => {
    const { pids, call, source, unmount, problems } = await startTree();
    const calling = call('x_wait');
    await until(() => problems.length === 0 && alive(pids[0] ?? 0), 'running');
    await new Promise((resolve) => setTimeout(resolve, 100));
    process.kill(pids[0] ?? 0, 'SIGKILL');
    const { isError, modelParts } = await calling;
    expect(isError).toBe(true);
    expect(textOf(modelParts)).toContain('Whether it took effect is not known');
    expect(source.status.state).toBe('degraded');
    await until(() => !pids.some(alive), 'all of them ended');
    const { output } = await call('x_pids');
    expect(output).not.toEqual(pids);
    expect(source.status.state).toBe('ready');
    await unmount();
  });

  it('gets only the given variables, and those that every program needs', async () => {
    process.env['UTENSIL_TEST_SECRET'] = 'hidden';
    const { call, unmount } = await mounted(
      stdioServer({ command: process.execPath, args: [kit('tree-server.ts')], env: { GIVEN: 'yes' } }),
    );
    const { output } = await call('x_environment');
    delete process.env['UTENSIL_TEST_SECRET'];
    expect(output).toContain('GIVEN');
    expect(output).not.toContain('UTENSIL_TEST_SECRET');
    await unmount();
  });

  it('that cannot be found is named, with what to do', async () => {
    const { problems, unmount } = await mounted(stdioServer({ command: 'utensil-no-such-command' }));
    expect(problems.join()).toContain('there is no command "utensil-no-such-command": use an absolute path');
    await unmount();
  });
});

it('loads nothing of MCP before the first list', async () => {
  const source = mcpSource({ url: 'https://mcp.example.com/mcp' });
  expect(source.status).toEqual({ state: 'idle' });
  await source.close();
  expect(await readFile(join(import.meta.dirname, 'source.ts'), 'utf8')).not.toMatch(
    /^import [^t].*modelcontextprotocol/m,
  );
});
