import { createFiles } from '@utensil/core';
import type { Files } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import type { QuickJS } from 'quickjs-wasi';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { resolveModule } from './engine/engine.ts';
import { boundTexts } from './engine/wasi-texts.ts';
import { fsFunctions } from './files/fs-functions.ts';
import { quickjsSandbox } from './node.ts';

const worker = new URL(inject('sandboxWorker'));

const million = 1024 * 1024;
const { signal } = new AbortController();

describe.each(['quickjs-wasi', 'quickjs-emscripten'] as const)('what %s takes over', (engine) => {
  const sandbox = quickjsSandbox({ engine, worker, maxWorkers: 1, limits: { workMs: 60_000 } });
  afterAll(() => sandbox.close());

  it('is no longer than an eighth of its memory at a time, whatever crosses', async () => {
    const limits = { memoryBytes: 32 * million };
    const hostFunctions = { take: () => 1 };
    const text = `Error: Too much data for fs and other functions of the host at a time (${4 * million + 1000} characters): give it in parts.`;
    const files = createFiles(memoryStorage());
    for (const call of [`await take({ a: many })`, `await fs.writeFile('/a', many)`, `fs.writeFileSync('/a', many)`])
      expect(
        await sandbox.run({ code: `const many = 'x'.repeat(${5 * million}); ${call}`, limits, hostFunctions, files }),
      ).toMatchObject({ status: 'limit', text });
    const fits = `await fs.writeFile('/a', 'x'.repeat(${3 * million})); return (await fs.readFile('/a', 'utf8')).length`;
    expect(await sandbox.run({ code: fits, limits, files })).toMatchObject({ status: 'done', text: `${3 * million}` });
  });

  it('is no longer than that on the way back either, and a larger file is not even read', async () => {
    const own = createFiles(memoryStorage());
    await own.write('/large', 'x'.repeat(5 * million));
    let reads = 0;
    const files: Files = { ...own, read: (path, range) => (reads++, own.read(path, range)) };
    const hostFunctions = { give: () => 'x'.repeat(5 * million), list: () => ['x'.repeat(5 * million)] };
    const code = `
      const calls = [() => give(), () => list(), () => fs.readFile('/large'), async () => fs.readFileSync('/large', 'utf8')];
      const codes = [];
      for (const call of calls) codes.push(await call().then(() => 'given', (error) => error.code));
      return codes.join()`;
    const { text } = await sandbox.run({ code, files, hostFunctions, limits: { memoryBytes: 32 * million } });
    expect([text, reads]).toEqual(['EFBIG,EFBIG,EFBIG,EFBIG', 0]);
  });

  it('names a module that is not there by a little of its name', async () => {
    const code = `return import('/x'.repeat(1e6)).catch((error) => error.message)`;
    const { text } = await sandbox.run({ code });
    expect(text).toMatch(/^Cannot find module '(?:\/x){50,110}/);
    expect(text.length).toBeLessThan(600);
  });

  it('has 10,000 characters of an error of the host', async () => {
    const fail = (): never => {
      throw new Error('x'.repeat(million));
    };
    const code = `return fail().catch((error) => error.message.length)`;
    expect((await sandbox.run({ code, hostFunctions: { fail } })).text).toBe('10000');
  });

  it('is told that a path is too long without its being taken apart, in the sandbox as in the host', async () => {
    const files = createFiles(memoryStorage());
    const code = `return Promise.all(['exists', 'stat', 'readFile', 'readdir', 'mkdir'].map((name) => fs[name]('/a'.repeat(1e5)).catch((error) => error.code + error.message.length)))`;
    expect(new Set(JSON.parse((await sandbox.run({ code, files })).text))).toEqual(new Set(['ENAMETOOLONG152']));
  });
});

it('makes no instance of a quickjs-wasi whose texts it cannot bound', () => {
  expect(() => boundTexts({} as QuickJS)).toThrow('This version of quickjs-wasi is not known');
});

it('takes no long path apart in the host, whoever has made the call', async () => {
  let asked = 0;
  const files = new Proxy({} as Files, { get: () => () => asked++ });
  const functions = fsFunctions({ files, readOnly: [], mostBytes: million, largestBytes: million });
  for (const call of Object.values(functions))
    await expect(call({ path: '/a'.repeat(million), to: '/b' }, signal)).rejects.toMatchObject({
      code: 'ENAMETOOLONG',
    });
  await expect(functions['fs.rename']?.({ path: '/a', to: '/a'.repeat(million) }, signal)).rejects.toMatchObject({
    code: 'ENAMETOOLONG',
  });
  expect(asked).toBe(0);
});

it('gives a script no directory with more names than it can be given, and stops listing there', async () => {
  let pages = 0;
  const own = createFiles(memoryStorage());
  const files: Files = {
    ...own,
    async list() {
      pages++;
      const entry = { kind: 'file', size: 1, modifiedAt: 0, etag: 'e' } as const;
      return {
        entries: Array.from({ length: 2_000 }, (_, index) => ({ ...entry, path: `/d/${pages}-${index}` })),
        next: 'more',
      };
    },
  };
  const { 'fs.readdir': readdir } = fsFunctions({ files, readOnly: [], mostBytes: million, largestBytes: million });
  await expect(readdir?.({ path: '/d' }, signal)).rejects.toMatchObject({ code: 'EFBIG' });
  expect(pages).toBe(51);
});

it('resolves no name of a module that is longer than any path', () => {
  expect(resolveModule('/lib/a.js', './b.js')).toBe('/lib/b.js');
  const cut = resolveModule('/lib/a.js', `./${'../'.repeat(million)}b.js`);
  expect([cut.length, cut.endsWith('…')]).toEqual([201, true]);
});

it('reads no more of the web than a script may be given, all answers together', async () => {
  let read = 0;
  const fetch = async (): Promise<Response> => {
    const pull = (controller: ReadableStreamDefaultController): void => {
      read += 65_536;
      controller.enqueue(new Uint8Array(65_536).fill(120));
      if (read % million === 0) controller.close();
    };
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
  };
  const sandbox = quickjsSandbox({ worker, maxWorkers: 1, limits: { workMs: 60_000 } });
  const code = `
    const codes = [];
    for (let n = 0; n < 8; n++) codes.push(await fetch('https://a.b/').then((each) => each.status, (error) => error.code));
    return codes.join()`;
  const { text } = await sandbox.run({ code, fetch, limits: { hostCharacters: 2.5 * million } });
  sandbox.close();
  expect(text).toMatch(/^200,200,EFBIG(?:,EFBIG){5}$/);
  expect(read).toBeLessThanOrEqual(3.5 * million);
});
