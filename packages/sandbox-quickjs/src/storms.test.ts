import { createFiles } from '@utensil/core';
import type { Files } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { quickjsSandbox } from './node.ts';

const worker = new URL(inject('sandboxWorker'));

describe.each(['quickjs-wasi', 'quickjs-emscripten'] as const)('what %s gives the host, or makes it do', (engine) => {
  const sandbox = quickjsSandbox({ engine, worker, maxWorkers: 1, limits: { workMs: 60_000 } });
  afterAll(() => sandbox.close());

  /** Small in the guest, but far too large once it is parsed. */
  const amplified = `const few = Array(400).fill([]), many = Array(400).fill(few);`;
  const tooMany = {
    status: 'limit',
    text: 'Error: Too many values in one call of a function of the host (100000)',
  };

  it('takes over no call with more values than a host can bear', async () => {
    let isCalled = false;
    const hostFunctions = { give: () => (isCalled = true) };
    expect(await sandbox.run({ code: `${amplified} return give({ many })`, hostFunctions })).toMatchObject(tooMany);
    expect(isCalled).toBe(false);
  });

  it('answers no question with more values', async () => {
    const code = `
      ${amplified}
      Array.prototype.toJSON = function () {
        if (this[0] !== 'call') return this;
        delete Array.prototype.toJSON;
        return ['call', { name: 'fs.stat', input: { path: '/', many } }];
      };
      return fs.statSync('/') ?? 'nothing'`;
    const files = createFiles(memoryStorage());
    expect(await sandbox.run({ code, files })).toMatchObject({ status: 'done', text: 'nothing' });
  });

  it('reads only short, well-formed reports of pending work', async () => {
    const code = (at: string): string => `
      ${amplified}
      Array.prototype.toString = () => '1e300';
      const { splice } = Array.prototype;
      Array.prototype.splice = function (...given) {
        if (given[2] && 'at' in given[2]) given[2].at = ${at};
        return Reflect.apply(splice, this, given);
      };
      setTimeout(() => {}, 1);
      return 1`;
    for (const at of ['many', '[]', 'NaN', '({ toJSON: () => "soon" })'])
      expect([at, await sandbox.run({ code: code(at) })]).toEqual([
        at,
        expect.objectContaining({
          status: 'crashed',
          text: 'Error: The sandbox failed. Try again, in smaller steps.',
        }),
      ]);
    expect(await sandbox.run({ code: 'return 42' })).toMatchObject({ status: 'done', text: '42' });
  });

  it('cuts a result though code has changed how results are cut', async () => {
    const code = `String.prototype.slice = function () { return this.toString() }; return 'x'.repeat(1_000_000)`;
    const { text } = await sandbox.run({ code, limits: { resultCharacters: 1000 } });
    expect(text).toBe(`${'x'.repeat(1000)}… [999000 of 1000000 characters left out]`);
  });

  /** Files that count how often they are read, and how often at a time. */
  function counted(files: Files): { readonly files: Files; readonly seen: { reads: number; most: number } } {
    const seen = { reads: 0, most: 0 };
    let now = 0;
    const read: Files['read'] = async (...given) => {
      seen.reads++;
      seen.most = Math.max(seen.most, ++now);
      await new Promise(setImmediate);
      now--;
      return files.read(...given);
    };
    return { files: { ...files, read }, seen };
  }

  it('reads few files at a time, and none beyond what a script may be given', async () => {
    const own = createFiles(memoryStorage());
    await own.write('/large', 'x'.repeat(1000));
    await own.write('/small', 'x');
    const { files, seen } = counted(own);
    const code = `
      const given = await Promise.all(Array.from({ length: 50 }, () => fs.readFile('/large', 'utf8').then(String, (error) => error.code)));
      return [given.filter((each) => each === 'EFBIG').length, await fs.readFile('/small', 'utf8')]`;
    const { text } = await sandbox.run({ code, files, limits: { hostCharacters: 20_500 } });
    expect(JSON.parse(text)).toEqual([30, 'x']);
    expect(seen.reads).toBe(21);
    expect(seen.most).toBeGreaterThan(1);
    expect(seen.most).toBeLessThanOrEqual(6);
  });

  it('reads no file to say what it is', async () => {
    const own = createFiles(memoryStorage());
    await own.write('/a.csv', 'text');
    const { files, seen } = counted(own);
    const code = `
      const [first] = await Promise.all(Array.from({ length: 50 }, () => fs.stat('/a.csv')));
      for (const name of ['/b.PNG', '/Makefile', '/dir.png/x']) await fs.writeFile(name, 'x');
      const others = await Promise.all(['/b.PNG', '/Makefile', '/dir.png', '/dir.png/x'].map(fs.stat));
      return [first, ...others].map(({ mime, isBinary }) => mime + ' ' + isBinary)`;
    expect(JSON.parse((await sandbox.run({ code, files })).text)).toEqual([
      'text/csv false',
      'image/png true',
      'null false',
      'null false',
      'null false',
    ]);
    expect(seen.reads).toBe(0);
  });

  it('aborts a script that waits for its turn, without its turn', async () => {
    const busy = new AbortController();
    const first = sandbox.run({ code: 'for (;;);', signal: busy.signal });
    const waiting = new AbortController();
    const second = sandbox.run({ code: 'return 1', signal: waiting.signal });
    waiting.abort();
    expect(await second).toMatchObject({ status: 'aborted', text: 'Error: Aborted' });
    const third = sandbox.run({ code: 'return 3' });
    busy.abort();
    expect(await first).toMatchObject({ status: 'aborted' });
    expect(await third).toMatchObject({ status: 'done', text: '3' });
  });
});
