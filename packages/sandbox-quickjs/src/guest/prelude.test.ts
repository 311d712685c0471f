import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFiles } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { build } from 'esbuild';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { oneFile } from '../../../../tooling/fixtures/attacks/one-file.ts';
import { preludeModule, written } from '../../../../tooling/prelude/source.ts';
import { quickjsSandbox } from '../node.ts';

const folder = await mkdtemp(join(tmpdir(), 'utensil-prelude-'));
afterAll(() => rm(folder, { recursive: true }));

it('is the text that its sources make: run `pnpm prelude`', async () => {
  expect(await readFile(written, 'utf8')).toBe(await preludeModule());
});

const program = join(import.meta.dirname, '../node/worker.ts');
const conditions = ['@utensil/source', 'node', 'import', 'module', 'default'];

async function bundledByEsbuild(target: string, minify: boolean): Promise<URL> {
  const path = join(folder, `${target}.mjs`);
  const { warnings } = await build({
    entryPoints: [program],
    outfile: path,
    bundle: true,
    keepNames: true,
    minify,
    target,
    platform: 'node',
    format: 'esm',
    conditions,
  });
  expect(warnings).toEqual([]);
  return pathToFileURL(path);
}

const bundles: Readonly<Record<string, () => Promise<URL>>> = {
  'esbuild with keepNames, for ES2020': () => bundledByEsbuild('es2020', false),
  'esbuild with keepNames, for ES2021, minified': () => bundledByEsbuild('es2021', true),
  async 'rolldown, minified'() {
    const worker = await oneFile('../node/worker.ts', import.meta.url, true);
    onTestFinished(() => rm(new URL('.', worker), { recursive: true }));
    return worker;
  },
};

/** Something of each part: classes with private members, which older languages have not, among them. */
const code = `
  const params = new URLSearchParams('a=1');
  params.append('b', 'ü');
  const url = new URL('/x?' + params, 'https://a.b');
  url.searchParams.set('a', '2');
  console.log(new Map([[1, new Set([2])]]));
  await fs.writeFile('/a.txt', new TextEncoder().encode('é'));
  await new Promise((done) => setTimeout(done, 1));
  const response = await fetch('https://a.b/', { headers: new Headers({ a: 'b' }) });
  const cloned = structuredClone(new Map([[{}, [1n]]]));
  const names = [URL, URLSearchParams, TextEncoder, Headers, setTimeout, fetch].map((each) => each.name).join();
  const thrown = await fs.readFile('/none').catch((error) => error.code);
  return [url.href, await fs.readFile('/a.txt', 'utf8'), await tools.echo({ value: btoa('x') }), await response.text(), cloned.size, names, thrown, crypto.randomUUID().length];`;

describe.each(Object.entries(bundles))('in a worker bundled by %s', (_, bundle) => {
  it.each(['quickjs-wasi', 'quickjs-emscripten'] as const)('runs as from its sources, with %s', async (engine) => {
    const worker = await bundle();
    const sandbox = quickjsSandbox({ engine, worker });
    const { text, status, console } = await sandbox.run({
      code,
      files: createFiles(memoryStorage()),
      hostFunctions: { 'tools.echo': (input) => input },
      fetch: async () => new Response('fetched'),
    });
    sandbox.close();
    expect({ status, text }).toMatchObject({ status: 'done' });
    expect(console).toEqual([{ level: 'LOG', text: expect.stringContaining('Set(1)') }]);
    expect(JSON.parse(text)).toEqual([
      'https://a.b/x?a=2&b=%C3%BC',
      'é',
      { value: 'eA==' },
      'fetched',
      1,
      'URL,URLSearchParams,TextEncoder,Headers,setTimeout,fetch',
      'ENOENT',
      36,
    ]);
  });
});
