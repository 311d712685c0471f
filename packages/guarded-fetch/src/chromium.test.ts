// The entry for browsers in a page of a real one, with servers of other origins.

import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { loopback } from '@utensil/tooling-loopback';
import type { Loopback } from '@utensil/tooling-loopback';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import { afterEach, expect, it } from 'vitest';
import { chromiumOptions } from '../../../tooling/chromium.ts';

/** Stores the result for each address in the page: the text or the error. */
const program = `
  import { guardedFetch } from './index.ts';
  globalThis.read = async (address, options) => {
    if (options.proxyAt !== undefined) options.proxy = () => new URL(options.proxyAt);
    try {
      const response = await guardedFetch(options)(address);
      return [response.url, response.redirected, (await response.text()).length];
    } catch (error) {
      return error.code + ': ' + error.message;
    }
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

const servers: Loopback[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(...[handler]: Parameters<typeof loopback>): Promise<Loopback> {
  const server = await loopback(handler);
  servers.push(server);
  return server;
}

it('keeps the rules and limits in a page, as far as the browser lets it', async () => {
  const page = await serve(() => ({ headers: { 'content-type': 'text/html', 'set-cookie': 'a=b' }, body: '<p>' }));
  const open = { 'access-control-allow-origin': '*' };
  const hidden = await serve(() => ({ headers: open, body: 'the secret' }));
  const site = await serve(({ path }) => {
    if (path === '/closed') return { body: 'text' };
    if (path === '/bomb')
      return { headers: { ...open, 'content-encoding': 'gzip' }, body: [gzipSync(Buffer.alloc(10_000_000))] };
    if (path === '/away') return { status: 302, headers: { ...open, location: hidden.url } };
    if (path === '/moved') return { status: 302, headers: { ...open, location: '/open' } };
    return { headers: open, body: 'text' };
  });
  const proxy = await serve(() => ({ headers: open, body: 'by proxy' }));
  const host = new URL(site.url).host;
  const options = { allowPrivate: [host], maxBytes: 1_000_000 };
  const browser = await chromium.launch(chromiumOptions());
  try {
    const tab = await browser.newPage();
    await tab.goto(page.url);
    await tab.addScriptTag({ content: await bundle(), type: 'module' });
    const read = (address: string, more: object = {}): Promise<unknown> =>
      tab.evaluate(`read(${JSON.stringify(address)}, ${JSON.stringify({ ...options, ...more })})`);
    expect(await read(`${site.url}/open#part`)).toEqual([`${site.url}/open`, false, 4]);
    expect(await read(`${site.url}/moved`)).toEqual([`${site.url}/open`, true, 4]);
    expect(await read(`${site.url}/moved`, { maxRedirects: 0 })).toMatch(/^fetch_failed: .*CORS/);
    expect(await read(`${site.url}/closed`)).toMatch(/^fetch_failed: .*\(CORS\)\. .* a proxy to guardedFetch\.$/);
    expect(await read(`${site.url}/closed`, { proxyAt: proxy.url })).toEqual([`${site.url}/closed`, false, 8]);
    expect(await read(`${site.url}/bomb`)).toMatch(/^fetch_too_large: /);
    expect(await read(`${site.url}/away`)).toMatch(/^fetch_blocked: /);
    const before = hidden.requests.length;
    expect(await read(hidden.url)).toMatch(/^fetch_blocked: /);
    expect(await read(hidden.url.replace('127.0.0.1', '2130706433'))).toMatch(/^fetch_blocked: /);
    expect(await read('/')).toMatch(/^fetch_blocked: /);
    expect(hidden.requests.length).toBe(before);
    expect(site.requests.filter(({ headers }) => 'cookie' in headers || 'referer' in headers)).toEqual([]);
  } finally {
    await browser.close();
  }
}, 60_000);
