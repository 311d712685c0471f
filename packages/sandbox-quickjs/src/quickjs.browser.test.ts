import { createFiles } from '@utensil/core';
import { guardedFetch } from '@utensil/guarded-fetch';
import { memoryStorage } from '@utensil/storage-memory';
import { afterAll, describe, expect, it } from 'vitest';
import { quickjsSandbox } from './index.ts';

const engines = [
  ['quickjs-wasi', new URL('../node_modules/quickjs-wasi/quickjs.wasm', import.meta.url)],
  [
    'quickjs-emscripten',
    new URL('../node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm', import.meta.url),
  ],
] as const;

describe.each(engines)('in a browser, with %s', (engine, wasm) => {
  const sandbox = quickjsSandbox({ engine, wasm });
  afterAll(() => sandbox.close());

  it('runs code in a worker', async () => {
    const files = createFiles(memoryStorage());
    const code = `console.log('here'); await fs.writeFile('/a', new Uint8Array([1, 2])); return 1 + 1`;
    const result = await sandbox.run({ code, files });
    expect(result).toMatchObject({ status: 'done', text: '2', console: [{ level: 'LOG', text: 'here' }] });
    expect([...(await files.read('/a')).bytes]).toEqual([1, 2]);
  });

  it('ends what QuickJS does not end', async () => {
    const result = await sandbox.run({ code: `new Array(1e9).join('')`, limits: { workMs: 300 } });
    expect(result).toMatchObject({ status: 'timeout', text: 'Error: Execution timeout (0.3s)' });
    expect(await sandbox.run({ code: 'return 6 * 7' })).toMatchObject({ status: 'done', text: '42' });
  });

  it('has a fetch if it is given one', async () => {
    const fetch = guardedFetch({ allowPrivate: [location.host] });
    const at = new URL('./quickjs.browser.test.ts', import.meta.url).href;
    const code = `
      const response = await fetch(${JSON.stringify(at)});
      const blocked = await fetch('http://192.168.0.1/').catch((error) => error.code);
      return [response.ok, (await response.text()).includes('has a fetch if it is given one'), blocked]`;
    const { text } = await sandbox.run({ code, fetch });
    expect(JSON.parse(text)).toEqual([true, true, 'fetch_blocked']);
    expect((await sandbox.run({ code })).text).toMatch(/is not defined: the network is off in this sandbox/);
  });
});
