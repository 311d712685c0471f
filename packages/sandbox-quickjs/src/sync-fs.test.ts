import { createFiles } from '@utensil/core';
import type { Files } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { quickjsSandbox } from './node.ts';

const worker = new URL(inject('sandboxWorker'));

describe.each(['quickjs-wasi', 'quickjs-emscripten'] as const)('synchronous fs with %s', (engine) => {
  const sandbox = quickjsSandbox({ engine, worker, maxWorkers: 1, limits: { workMs: 60_000 } });
  afterAll(() => sandbox.close());

  async function answer(code: string, files: Files = createFiles(memoryStorage())): Promise<unknown> {
    const { status, text } = await sandbox.run({ code, files, readOnly: ['/memories'] });
    expect([status, text]).toEqual(['done', expect.any(String)]);
    return JSON.parse(text);
  }

  it('does at once what the others do, in functions that are not async', async () => {
    const files = createFiles(memoryStorage());
    const code = `
      const work = () => {
        fs.mkdirSync('/dir/below', { recursive: true });
        fs.writeFileSync('/dir/a', 'ä');
        fs.writeFileSync('/dir/b', new Uint8Array([1, 2]));
        fs.renameSync('/dir/b', '/dir/c');
        const seen = [fs.existsSync('/dir/a'), fs.existsSync('/dir/b'), fs.readdirSync('/dir')];
        fs.unlinkSync('/dir/a');
        fs.rmdirSync('/dir/below');
        return [...seen, fs.readFileSync('/dir/c').byteLength, fs.statSync('/dir/c').size];
      };
      fs.writeFileSync('/text', 'tä');
      return [work(), [3, 1, 2].sort((a, b) => (fs.readFileSync('/text', 'utf8') === 'tä' ? a - b : 0))]`;
    expect(await answer(code, files)).toEqual([
      [true, false, ['a', 'below', 'c'], 2, 2],
      [1, 2, 3],
    ]);
    expect([...(await files.read('/dir/c')).bytes]).toEqual([1, 2]);
  });

  it('throws errors as the others reject with them, from where they were called', async () => {
    const code = `
      const errors = [];
      for (const work of [() => fs.readFileSync('/none'), () => fs.writeFileSync('/memories/a', ''), () => fs.statSync()])
        try { work() } catch (error) { errors.push([error instanceof Error, error.code, error.message]) }
      return errors`;
    expect(await answer(code)).toEqual([
      [true, 'ENOENT', "ENOENT: no such file or directory, '/none'"],
      [true, 'EROFS', "EROFS: read-only file system, write '/memories/a'"],
      [true, 'EINVAL', "EINVAL: missing required argument 'path' for fs.stat"],
    ]);
    const { text } = await sandbox.run({
      code: `\nfs.readFileSync('/none')`,
      files: createFiles(memoryStorage()),
    });
    expect(text).toMatch(/^Error: ENOENT: [^\n]*\n +at [^\n]*script\.js:2/);
  });

  it('comes after all that was asked for before, and reads answers of any length', async () => {
    const files = createFiles(memoryStorage());
    const long = 'äöü€'.repeat(200_000);
    await files.write('/long', long);
    const code = `
      fs.writeFile('/a', 'first');
      const seen = fs.readFileSync('/a', 'utf8');
      const text = fs.readFileSync('/long', 'utf8');
      return [seen, text.length, text.slice(-4), fs.readFileSync('/long').byteLength]`;
    expect(await answer(code, files)).toEqual(['first', 800_000, 'äöü€', 1_800_000]);
  });

  it('is thrown away with all else that a failed script wrote', async () => {
    const files = createFiles(memoryStorage());
    const { status } = await sandbox.run({ code: `fs.writeFileSync('/a', ''); throw 1`, files });
    expect([status, await files.stat('/a')]).toEqual(['failed', undefined]);
  });

  it('counts its calls, but no waiting as work', async () => {
    const files = createFiles(memoryStorage());
    let waitedMs = 0;
    const slow: Files = {
      ...files,
      async stat(path) {
        const startMs = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 300));
        waitedMs += performance.now() - startMs;
        return files.stat(path);
      },
    };
    const startMs = performance.now();
    const code = `fs.existsSync('/a'); fs.existsSync('/b')`;
    const { status, stats } = await sandbox.run({ code, files: slow });
    expect([status, stats.hostCalls]).toEqual(['done', 2]);
    expect(stats.workMs).toBeLessThanOrEqual(Math.ceil(performance.now() - startMs - waitedMs)); // however slow the machine is
    const storm = `for (;;) fs.existsSync('/')`;
    expect(await sandbox.run({ code: storm, files, limits: { hostCalls: 50 } })).toMatchObject({
      status: 'limit',
      text: expect.stringContaining('Too many calls'),
      stats: { hostCalls: 50 },
    });
    const flood = `fs.writeFileSync('/a', 'x'.repeat(1000))`;
    expect(await sandbox.run({ code: flood, files, limits: { hostCharacters: 500 } })).toMatchObject({
      status: 'limit',
    });
  });

  it('ends with all the time of the script, though it is never answered', async () => {
    const files: Files = { ...createFiles(memoryStorage()), stat: () => new Promise(() => undefined) };
    await sandbox.run({ code: 'return 1' }); // so that no start of a worker is in the second
    const hung = await sandbox.run({ code: `fs.existsSync('/a')`, files, limits: { wallMs: 1_000 } });
    expect(hung).toMatchObject({ status: 'timeout', text: 'Error: Execution timeout (1s)' });
    const abort = new AbortController();
    const aborting: Files = { ...files, stat: () => (abort.abort(), new Promise(() => undefined)) };
    const aborted = await sandbox.run({ code: `fs.existsSync('/a')`, files: aborting, signal: abort.signal });
    expect(aborted).toMatchObject({ status: 'aborted' });
    expect(await sandbox.run({ code: 'return 6 * 7' })).toMatchObject({ text: '42' });
  });

  it('says how to wait if nothing can be made to', async () => {
    const inline = quickjsSandbox({ engine, inline: true });
    const code = `try { fs.readFileSync('/a') } catch (error) { return [error.code, error.message] }`;
    const { text } = await inline.run({ code, files: createFiles(memoryStorage()) });
    expect(JSON.parse(text)).toEqual(['ENOTSUP', 'fs.readFileSync is missing here: use await fs.readFile(...)']);
    inline.close();
  });
});
