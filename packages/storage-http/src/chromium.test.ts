// The client in a page of a real browser, of another origin than the server, over a real network.

import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import { afterEach, expect, inject, it } from 'vitest';
import { chromiumOptions } from '../../../tooling/chromium.ts';
import { nodeListener } from './node.ts';
import { bearerTokens, serveStorage } from './server.ts';

const token = 'the-token-of-the-writer';
const authorize = bearerTokens([{ token, namespaces: 'all', canWrite: true, records: true }]);

/** One case of three is tried here; all of them run over HTTP in Node.js. */
const stride = inject('isLong') ? 1 : 3;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs the suite in the page, and leaves the names of the tests that failed there. */
const program = `
  import { recordSuite, storageSuite } from '@utensil/core/testing';
  import { httpStorage } from './http.ts';
  globalThis.runSuite = async (url, token, stride) => {
    const tests = [];
    let backends = 0;
    const make = () => {
      const backend = ++backends;
      const open = async (namespace) => httpStorage({ url, token, namespace: backend + ' ' + namespace });
      return { open, destroy: async () => {} };
    };
    storageSuite({ test: (name, body) => tests.push([name, body]) }, make);
    recordSuite({ test: (name, body) => tests.push([name, body]) }, make);
    const failed = [];
    const quick = tests.filter(([name]) => !/random|100|every length/.test(name)); // those are run in the page itself
    const tried = quick.filter((_, index) => index % stride === 0);
    for (const [name, body] of tried) await body().catch((error) => failed.push(name + ': ' + error));
    return { count: tried.length, failed };
  };
`;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    conditions: ['@utensil/source'],
    absWorkingDir: join(import.meta.dirname, '../../..'),
    bundle: true,
    format: 'esm',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('\n');
}

it('[S0-28] keeps the promises of a storage to a page of an origin that may read, and tells others nothing', async () => {
  const script = await bundle();
  const page = await listen((_, outgoing) => outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<p>'));
  const state = memoryState();
  const handle = serveStorage((namespace) => memoryStorage({ state, namespace }), { authorize, origins: [page] });
  const storage = await listen(nodeListener(handle));
  const browser = await chromium.launch(chromiumOptions());
  try {
    const run = async (origin: string) => {
      const tab = await browser.newPage();
      await tab.goto(origin);
      await tab.addScriptTag({ content: script, type: 'module' });
      return tab.evaluate<{ count: number; failed: string[] }>(`runSuite('${storage}', '${token}', ${stride})`);
    };
    const welcome = await run(page);
    expect([welcome.count > 60 / stride, welcome.failed]).toEqual([true, []]);
    const stranger = await browser.newPage();
    await stranger.goto(page.replace('127.0.0.1', 'localhost'));
    const asking = `fetch('${storage}/v1/list', { headers: { authorization: 'Bearer ${token}' } }).then(String, String)`;
    expect(await stranger.evaluate(asking)).toBe('TypeError: Failed to fetch');
  } finally {
    await browser.close();
  }
}, 120_000);
