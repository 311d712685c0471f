// Pages of a real browser whose headers differ: who may share memory with a worker, and whose worker cannot start.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { loopback } from '@utensil/tooling-loopback';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import { afterAll, expect, it } from 'vitest';
import { chromiumOptions } from '../../../tooling/chromium.ts';

/** Runs a script on files in memory, with a worker from a file. Stores the result. */
const program = `
  import { createFiles } from '@utensil/core';
  import { memoryStorage } from '@utensil/storage-memory';
  import { quickjsSandbox } from './index.ts';
  globalThis.runScript = async (engine, code, file = '/worker.js') => {
    const sandbox = quickjsSandbox({
      engine,
      wasm: new URL('/' + engine + '.wasm', location.href),
      worker: () => new Worker(file, { type: 'module' }),
    });
    const files = createFiles(memoryStorage());
    await files.write('/a', 'kept');
    const { status, text } = await sandbox.run({ code, files });
    sandbox.close();
    return [status, text];
  };
`;

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    conditions: ['@utensil/source'],
    absWorkingDir: join(import.meta.dirname, '../../..'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('\n');
}

const { resolve } = createRequire(import.meta.url);
const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

const [script, page] = [{ 'content-type': 'text/javascript' }, { 'content-type': 'text/html' }];
const wasm = { 'content-type': 'application/wasm' };

const served: Readonly<Record<string, readonly [headers: Record<string, string>, body: string | Buffer]>> = {
  '/isolated': [{ ...isolation, ...page }, '<p>'],
  '/plain': [page, '<p>'],
  '/strict': [{ ...page, 'content-security-policy': "worker-src 'none'" }, '<p>'],
  '/worker.js': [{ ...isolation, ...script }, await bundle(`import './worker.ts'`)],
  '/broken.js': [script, 'const = 1'],
  '/throws.js': [script, 'throw new Error("at once")'],
  '/lonely.js': [script, `import '/none.js'`],
  '/as-a-page.js': [page, '<!doctype html>'],
  '/quickjs-wasi.wasm': [wasm, await readFile(resolve('quickjs-wasi/quickjs.wasm'))],
  '/quickjs-emscripten.wasm': [wasm, await readFile(resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))],
};
const server = await loopback(({ path }) => {
  const [headers, body] = served[path] ?? [{}, ''];
  return { status: path in served ? 200 : 404, headers, body: [body] };
});
const browser = await chromium.launch(chromiumOptions());
afterAll(async () => {
  await browser.close();
  await server.close();
});
const content = await bundle(program);

/** A page that has runs of scripts. */
async function open(path: string) {
  const tab = await browser.newPage();
  await tab.goto(server.url + path);
  await tab.addScriptTag({ content, type: 'module' });
  await tab.waitForFunction('typeof runScript === "function"');
  return (...given: readonly string[]) =>
    tab.evaluate<readonly [status: string, text: string]>(`runScript(...${JSON.stringify(given)})`);
}

it('has synchronous fs in pages that are isolated from other origins, and says so in others', async () => {
  const asked = `fs.writeFileSync('/b', 'x'.repeat(300_000)); return [fs.readFileSync('/a', 'utf8'), fs.readFileSync('/b').byteLength].join()`;
  const [isolated, plain] = [await open('/isolated'), await open('/plain')];
  for (const engine of ['quickjs-wasi', 'quickjs-emscripten']) {
    expect(await isolated(engine, asked)).toEqual(['done', 'kept,300000']);
    const [status, text] = await plain(engine, asked);
    expect(status).toBe('failed');
    expect(text).toMatch(/^Error: fs\.writeFileSync is missing here: use await fs\.writeFile\(\.\.\.\)/);
  }
});

it.each([
  ['is not there', '/plain', '/none.js'],
  ['is no JavaScript', '/plain', '/broken.js'],
  ['is served as a page', '/plain', '/as-a-page.js'],
  ['throws at once', '/plain', '/throws.js'],
  ['imports what is not there', '/plain', '/lonely.js'],
  ['is forbidden by the policy of the page', '/strict', '/worker.js'],
])('answers, instead of never, if the file of the worker %s', async (_, path, file) => {
  const run = await open(path);
  const [status, text] = await run('quickjs-wasi', 'return 1', file);
  expect(status).toBe('crashed');
  expect(text).toMatch(
    /^Error: The sandbox could not be started: its worker cannot be loaded, or ended: its file has to/,
  );
});
