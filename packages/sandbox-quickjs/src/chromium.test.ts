// Pages of a real browser whose headers differ: who may share memory with a worker, and who may not.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { loopback } from '@utensil/tooling-loopback';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import { expect, it } from 'vitest';
import { chromiumPath } from '../../../tooling/chromium.ts';

/** Runs a script on files of its own, and gives what came of it. */
const program = `
  import { createFiles } from '@utensil/core';
  import { memoryStorage } from '@utensil/storage-memory';
  import { quickjsSandbox } from './index.ts';
  globalThis.runScript = async (engine, code) => {
    const sandbox = quickjsSandbox({
      engine,
      wasm: new URL('/' + engine + '.wasm', location.href),
      worker: () => new Worker('/worker.js', { type: 'module' }),
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

it(
  'has synchronous fs in pages that are isolated from other origins, and says so in others',
  { timeout: 60_000 },
  async () => {
    const script = { 'content-type': 'text/javascript' };
    const wasm = { 'content-type': 'application/wasm' };
    const files: Readonly<Record<string, readonly [headers: Record<string, string>, body: string | Buffer]>> = {
      '/isolated': [{ ...isolation, 'content-type': 'text/html' }, '<p>'],
      '/plain': [{ 'content-type': 'text/html' }, '<p>'],
      '/worker.js': [{ ...isolation, ...script }, await bundle(`import './worker.ts'`)],
      '/quickjs-wasi.wasm': [wasm, await readFile(resolve('quickjs-wasi/quickjs.wasm'))],
      '/quickjs-emscripten.wasm': [wasm, await readFile(resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))],
    };
    const server = await loopback(({ path }) => {
      const [headers, body] = files[path] ?? [{}, ''];
      return { status: path in files ? 200 : 404, headers, body: [body] };
    });
    const browser = await chromium.launch({ executablePath: chromiumPath() ?? 'chromium' });
    try {
      const code = await bundle(program);
      const runIn = async (path: string, engine: string): Promise<unknown> => {
        const tab = await browser.newPage();
        await tab.goto(server.url + path);
        await tab.addScriptTag({ content: code, type: 'module' });
        const asked = `fs.writeFileSync('/b', 'x'.repeat(300_000)); return [fs.readFileSync('/a', 'utf8'), fs.readFileSync('/b').byteLength].join()`;
        return tab.evaluate(`runScript(${JSON.stringify(engine)}, ${JSON.stringify(asked)})`);
      };
      for (const engine of ['quickjs-wasi', 'quickjs-emscripten']) {
        expect(await runIn('/isolated', engine)).toEqual(['done', 'kept,300000']);
        const [status, text] = (await runIn('/plain', engine)) as [string, string];
        expect(status).toBe('failed');
        expect(text).toMatch(/^Error: fs\.writeFileSync cannot be had here: use await fs\.writeFile\(\.\.\.\)/);
      }
    } finally {
      await browser.close();
      await server.close();
    }
  },
);
