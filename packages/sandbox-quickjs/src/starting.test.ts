import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { quickjsSandbox } from './node.ts';

const folder = await mkdtemp(join(tmpdir(), 'utensil-starting-'));
afterAll(() => rm(folder, { recursive: true }));

/** A temporary worker file. */
async function file(name: string, source: string): Promise<URL> {
  await writeFile(join(folder, name), source);
  return pathToFileURL(join(folder, name));
}

describe('a worker that cannot start', () => {
  const failing = {
    'has a file that is not there': () => new URL('file:///home/none/worker.js'),
    'is no JavaScript': () => file('broken.mjs', 'const = <html>'),
    'imports what is not there': () => file('lonely.mjs', `import 'no-such-package'`),
    'throws at once': () => file('throws.mjs', `throw new Error('/home/me/secret')`),
    'throws what is no error': () => file('odd.mjs', `throw null`),
    'ends by itself': () => file('ends.mjs', ''),
    'ends the process': () => file('exits.mjs', 'process.exit(0)'),
  };

  it.each(Object.entries(failing))('is an answer, not a run that never settles: one that %s', async (_, make) => {
    const sandbox = quickjsSandbox({ worker: await make() });
    const results = await Promise.all([sandbox.run({ code: 'return 1' }), sandbox.run({ code: 'return 2' })]);
    results.push(await sandbox.run({ code: 'return 3' }));
    sandbox.close();
    for (const { status, text } of results) {
      expect(status).toBe('crashed');
      expect(text).toMatch(/^Error: The sandbox could not be started: its worker cannot be loaded, or ended/);
      expect(text).not.toMatch(/home|file:|secret/);
    }
  });

  it('counts under the time of the script, if it says nothing at all', async () => {
    const sandbox = quickjsSandbox({ worker: await file('silent.mjs', 'setInterval(() => {}, 1000)') });
    const { status, text } = await sandbox.run({ code: 'return 1', limits: { wallMs: 300 } });
    expect([status, text]).toEqual([
      'timeout',
      'Error: The sandbox could not be started: it did not start within 0.3 s',
    ]);
    const abort = new AbortController();
    const aborted = sandbox.run({ code: 'return 1', signal: abort.signal });
    abort.abort();
    expect(await aborted).toMatchObject({ status: 'aborted' });
    const closed = sandbox.run({ code: 'return 1' });
    sandbox.close();
    expect(await closed).toMatchObject({ status: 'aborted' });
  });

  it('may take as long as the longest limit, which no timer can', async () => {
    const sandbox = quickjsSandbox({ limits: { wallMs: 1e13, workMs: 1e13 } });
    expect(await sandbox.run({ code: 'return 1' })).toMatchObject({ status: 'done', text: '1' });
    sandbox.close();
  });
});

it('can be imported from a file that has no address of its own, where the worker and the WebAssembly are given', async () => {
  const path = join(folder, 'bundled.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'node.ts')],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@utensil/source'],
    logLevel: 'error',
    logOverride: { 'empty-import-meta': 'silent' },
  });
  const { quickjsSandbox: make } = createRequire(import.meta.url)(path) as { quickjsSandbox: typeof quickjsSandbox };
  const wasm = new Uint8Array(await readFile(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')));
  const sandbox = make({ wasm, worker: new URL('./node/worker.ts', import.meta.url) });
  expect(await sandbox.run({ code: 'return 6 * 7' })).toMatchObject({ status: 'done', text: '42' });
  sandbox.close();
});
