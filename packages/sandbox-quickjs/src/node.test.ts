import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { createFiles, UtensilError } from '@utensil/core';
import { mountFiles, readOnly, subtree } from '@utensil/core/files';
import { memoryStorage } from '@utensil/storage-memory';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { quickjsSandbox } from './node.ts';

const worker = new URL(inject('sandboxWorker'));

const runFile = promisify(execFile);

describe.each(['quickjs-wasi', 'quickjs-emscripten'] as const)('a sandbox with %s', (engine) => {
  const sandbox = quickjsSandbox({ engine, worker, maxWorkers: 2, limits: { workMs: 60_000, wallMs: 120_000 } });
  afterAll(() => sandbox.close());

  it('says in which library the time of a script went', async () => {
    const libraries = [
      { name: '/lib/a.js', code: '' },
      { name: '/lib/b.js', code: 'for (;;);' },
    ];
    const patient = quickjsSandbox({ engine, worker, maxWorkers: 1, graceMs: 20_000 });
    const { status, text } = await patient.run({ code: 'return 1', libraries, limits: { workMs: 500 } });
    patient.close();
    expect([status, text]).toEqual([
      'timeout',
      'Error: Execution timeout (0.5s). It was in the library /lib/b.js, which runs before each script.',
    ]);
  });

  it('returns the result of the code, and its costs', async () => {
    const result = await sandbox.run({ code: `console.log('a'); return { a: 1 }` });
    const console = [{ level: 'LOG', text: 'a' }];
    expect(result).toMatchObject({ status: 'done', text: '{\n  "a": 1\n}', console, consoleDropped: 0 });
    expect(result.stats.memoryBytes).toBeGreaterThan(0);
  });

  it('lets code call functions of the host, with JSON alone', async () => {
    const seen: unknown[] = [];
    const { text } = await sandbox.run({
      code: `
        const [first, second] = await Promise.all([() => {}, 5].map((value, index) => tools.echo({ value, index })));
        const nothing = await tools.nothing([undefined, () => {}, NaN]);
        const error = await tools.deep.fail().catch((thrown) => [thrown.message, thrown.code, thrown instanceof Error]);
        return [first, second, nothing, error, typeof plain]`,
      hostFunctions: {
        'tools.echo': (input) => {
          seen.push(input);
          return input;
        },
        'tools.nothing': (input) => void seen.push(input),
        'tools.deep.fail': () => {
          throw new UtensilError('ENOENT', 'Nothing there.');
        },
        plain: () => 1,
      },
    });
    const answers = [{ index: 0 }, { value: 5, index: 1 }];
    expect(JSON.parse(text)).toEqual([...answers, null, ['Nothing there.', 'ENOENT', true], 'function']);
    expect(seen).toEqual([...answers, [null, null, null]]);
  });

  it('runs scripts at the same time, each with a world of its own', async () => {
    const code = (n: number) =>
      `globalThis.mine ??= ${n}; await new Promise((done) => setTimeout(done, 5)); return mine`;
    const results = await Promise.all(Array.from({ length: 6 }, (_, n) => sandbox.run({ code: code(n) })));
    expect(results.map(({ text }) => text)).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  it('runs scripts inside scripts with one worker, and refuses at once those that nobody could make place for', async () => {
    const one = quickjsSandbox({ engine, worker, maxWorkers: 1, maxWaiting: 3 });
    const nested = async (depth: unknown): Promise<string> => {
      const { text } = await one.run({
        code: `return ${Number(depth)} === 0 ? 'deepest' : await inside(${Number(depth) - 1})`,
        hostFunctions: { inside: nested },
      });
      return text;
    };
    expect(await nested(3)).toBe('deepest');
    expect(await Promise.all([nested(1), nested(1), nested(1)])).toEqual(['deepest', 'deepest', 'deepest']);
    expect(await nested(9)).toMatch(
      /^Error: The sandbox could not be started: 4 scripts wait for their host functions/,
    );
    expect(await nested(0)).toBe('deepest');
    one.close();
  });

  it('does not start what was aborted, and ends what is', async () => {
    const reason = { status: 'aborted', text: 'Error: Aborted' };
    expect(await sandbox.run({ code: 'return 1', signal: AbortSignal.abort() })).toMatchObject(reason);
    const abort = new AbortController();
    const hostFunctions = { abort: () => abort.abort() };
    expect(await sandbox.run({ code: 'await abort(); for (;;);', hostFunctions, signal: abort.signal })).toMatchObject(
      reason,
    );
    expect(await sandbox.run({ code: 'return 1' })).toMatchObject({ status: 'done' });
  });

  it('allocates no more than it may, which code can catch', async () => {
    const memoryBytes = 24 * 1024 * 1024;
    const code = `const keep = []; try { for (;;) keep.push('x'.repeat(1e5) + keep.length) } catch (error) { keep.length = 0; return error.message }`;
    const { text, stats } = await sandbox.run({ code, limits: { memoryBytes } });
    expect(text).toBe('out of memory');
    expect(stats.memoryBytes).toBeLessThanOrEqual(memoryBytes + 8 * 1024 * 1024);
  });

  it('ends with the error of a script, or says that it is too large, instead of waiting for nothing', async () => {
    for (const code of [
      `throw new Error('x'.repeat(11.5e6))`,
      `throw Object.assign(new Error(), { name: 'x'.repeat(11.5e6) })`,
    ])
      expect(await sandbox.run({ code, limits: { memoryBytes: 32 * 1024 * 1024 } })).toMatchObject({
        status: 'failed',
        text: expect.stringMatching(/^(?:Error: x|x)+|^Error: The error of the script is too large to be shown\.$/),
      });
  });

  it('says how much memory a script needs at least, instead of crashing', async () => {
    for (const memoryBytes of [1, 300_000, 800_000, 1024 * 1024 - 1])
      expect(await sandbox.run({ code: 'return 1', limits: { memoryBytes } })).toMatchObject({
        status: 'limit',
        text: `Error: ${memoryBytes} bytes of memory are not enough for a script: set the limit memoryBytes to 1048576 or more.`,
      });
    const code = `return (await tools.a49({})) + String(await fs.exists('/')) + typeof fetch`;
    const hostFunctions = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`tools.a${index}`, () => 1]));
    const more = { hostFunctions, files: createFiles(memoryStorage()), fetch: () => Promise.reject(new Error('off')) };
    const least = await sandbox.run({ code, ...more, limits: { memoryBytes: 1024 * 1024 } });
    expect(least).toMatchObject({ status: 'done', text: '1truefunction' });
  });

  it('cuts results and the console if they are too long', async () => {
    const limits = { resultCharacters: 100, consoleLines: 3, consoleCharacters: 250 };
    const code = `for (let i = 0; i < 5; i++) console.log('x'.repeat(150)); return 'y'.repeat(500)`;
    const { text, console, consoleDropped } = await sandbox.run({ code, limits });
    const cut = (letter: string, length: number): string =>
      `${letter.repeat(100)}… [${length - 100} of ${length} characters left out]`;
    expect(text).toBe(cut('y', 500));
    expect(console.map((line) => line.text)).toEqual([
      cut('x', 150),
      cut('x', 150).slice(0, 250 - cut('x', 150).length),
    ]);
    expect(consoleDropped).toBe(3);
  });

  it.concurrent('drops the timers that are left when all its time is over, and keeps the result', async () => {
    const { status, text, console } = await sandbox.run({
      code: 'setTimeout(() => {}, 60_000); return 5',
      limits: { wallMs: 2_000 },
    });
    expect({ status, text }).toEqual({ status: 'done', text: '5' });
    expect(console).toEqual([{ level: 'WARN', text: 'Timers that were left after 2 s were dropped.' }]);
  });

  it.concurrent('ends what waits for too long', async () => {
    const hostFunctions = { never: () => new Promise(() => undefined) };
    await sandbox.run({ code: 'return 1' }); // so that no start of a worker is in the second
    const result = await sandbox.run({ code: 'await never()', hostFunctions, limits: { wallMs: 1_000 } });
    expect(result).toMatchObject({ status: 'timeout', text: 'Error: Execution timeout (1s)' });
  });

  it('writes nothing if what the script has read was changed meanwhile', async () => {
    const files = createFiles(memoryStorage());
    await files.write('/count', '1');
    const code = `const count = Number(await fs.readFile('/count', 'utf8')); await meanwhile(); await fs.writeFile('/other', ''); await fs.writeFile('/count', String(count + 1))`;
    const hostFunctions = { meanwhile: async () => void (await files.write('/count', '5')) };
    const { status, text } = await sandbox.run({ code, files, hostFunctions });
    expect(status).toBe('failed');
    expect(text).toMatch(/^Error: ECONFLICT: .*'\/count'.*nothing was written\. Run it again\./);
    expect((await files.readText('/count')).text).toBe('5');
    expect(await files.stat('/other')).toBeUndefined();
  });

  it('sees files as they were when it first looked', async () => {
    const files = createFiles(memoryStorage());
    await files.write('/a', 'before');
    const code = `const size = (await fs.stat('/a')).size; await meanwhile(); return [size, (await fs.stat('/a')).size]`;
    const hostFunctions = { meanwhile: async () => void (await files.write('/a', 'longer than before')) };
    const { text } = await sandbox.run({ code, files, hostFunctions });
    expect(text).not.toContain('18');
  });

  it('keeps its changes in mounted files too', async () => {
    const [root, work, shared] = [
      createFiles(memoryStorage()),
      createFiles(memoryStorage()),
      createFiles(memoryStorage()),
    ];
    await shared.write('/a', 'shared');
    await work.write('/gone/b', 'b');
    const files = mountFiles(root, { '/inner': work, '/share': readOnly(shared) });
    const code = `await fs.writeFile('/inner/a', await fs.readFile('/share/a')); await fs.mkdir('/dir'); await fs.rmdir('/inner/gone', true); await fs.writeFile('/r', '')`;
    expect(await sandbox.run({ code, files })).toMatchObject({ status: 'done' });
    expect((await work.readText('/a')).text).toBe('shared');
    expect(await work.stat('/gone')).toBeUndefined();
    expect([(await root.stat('/dir'))?.kind, (await root.stat('/r'))?.kind]).toEqual(['directory', 'file']);
    const refused = await sandbox.run({ code: `await fs.writeFile('/share/a', 'x')`, files });
    expect(refused).toMatchObject({ status: 'failed', text: expect.stringMatching(/^Error: EROFS: /) });
    expect((await shared.readText('/a')).text).toBe('shared');
  });

  it('keeps its changes in one commit, in a mount as anywhere', async () => {
    const storage = memoryStorage();
    const commits: number[] = [];
    const counting = {
      ...storage,
      commit: (commit: Parameters<typeof storage.commit>[0]) => (
        commits.push(commit.changes.length),
        storage.commit(commit)
      ),
    };
    const work = createFiles(counting);
    const files = mountFiles(createFiles(memoryStorage()), {
      '/work': work,
      '/share': readOnly(createFiles(memoryStorage())),
    });
    for (const place of [files, readOnly(files, '/memories'), subtree(files, '/work')]) {
      commits.length = 0;
      const at = place === files || (await place.stat('/work')) !== undefined ? '/work' : '';
      const code = `await fs.writeFile('${at}/a', Math.random() + ''); await fs.writeFile('${at}/b', Math.random() + '')`;
      expect(await sandbox.run({ code, files: place })).toMatchObject({ status: 'done' });
      expect(commits).toEqual([2]);
    }
  });

  it('lists directories of any size', async () => {
    const files = createFiles(memoryStorage());
    await files.batch(async (batch) => {
      for (let n = 0; n < 2_100; n++) await batch.write(`/many/${n}`, '');
    });
    const code = `await fs.writeFile('/many/new', ''); return (await fs.readdir('/many')).length`;
    expect(await sandbox.run({ code, files })).toMatchObject({ status: 'done', text: '2101' });
  });

  it('reports promises that were rejected and that nobody looked at, where the engine tells', async () => {
    const code = `
      const late = Promise.reject(new Error('late'));
      fs.writeFile('/memories/a', 'x');
      Promise.reject(5);
      await fs.exists('/');
      await late.catch(() => {});
      await Promise.allSettled([Promise.reject(6)]);`;
    const { console } = await sandbox.run({ code, files: createFiles(memoryStorage()), readOnly: ['/memories'] });
    const said = console.map(({ text }) => text.split('\n')[0]);
    const known = [
      'Uncaught (in promise) 5',
      "Uncaught (in promise) Error: EROFS: read-only file system, write '/memories/a'",
    ];
    expect(new Set(said)).toEqual(new Set(engine === 'quickjs-wasi' ? known : []));
  });

  it('has no fs without files', async () => {
    expect(await sandbox.run({ code: 'return typeof fs' })).toMatchObject({ text: 'undefined' });
  });

  it('runs without a worker, for a quarter of a second', async () => {
    const inline = quickjsSandbox({ engine, inline: true });
    expect(inline.isolation).toBe('inline');
    expect(await inline.run({ code: 'return await Promise.resolve(1)' })).toMatchObject({ status: 'done', text: '1' });
    const result = await inline.run({ code: 'for (;;);', limits: { workMs: 60_000 } });
    expect(result).toMatchObject({ status: 'timeout', text: 'Error: Execution timeout (0.25s)' });
    expect(await inline.run({ code: 'return 2' })).toMatchObject({ text: '2' });
    inline.close();
  });
});

describe('what a host can hand in', () => {
  const wasm = async (): Promise<Uint8Array<ArrayBuffer>> =>
    new Uint8Array(await readFile(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')));

  it('is the WebAssembly, compiled or not', async () => {
    for (const given of [await wasm(), await WebAssembly.compile(await wasm())]) {
      const sandbox = quickjsSandbox({ wasm: given });
      expect(await sandbox.run({ code: 'return 1' })).toMatchObject({ text: '1' });
      sandbox.close();
    }
  });

  it('is the worker; one that cannot be started is an answer, without a path of the host', async () => {
    const sandbox = quickjsSandbox({ worker: new URL('file:///home/none/worker.js') });
    const { status, text } = await sandbox.run({ code: 'return 1' });
    expect(status).toBe('crashed');
    expect(text).toMatch(/^Error: The sandbox could not be started: /);
    expect(text).not.toContain('/home');
    sandbox.close();
  });

  it('ends what runs when it is closed', async () => {
    const sandbox = quickjsSandbox();
    const running = sandbox.run({
      code: 'await never()',
      hostFunctions: { never: () => (sandbox.close(), new Promise(() => undefined)) },
    });
    expect(await running).toMatchObject({ status: 'aborted' });
  });

  it('has names that code can write', async () => {
    const sandbox = quickjsSandbox();
    const { text } = await sandbox.run({ code: 'return 1', hostFunctions: { 'a-b': () => 1 } });
    expect(text).toContain('cannot be called "a-b"');
    sandbox.close();
  });
});

it.each(['quickjs-wasi', 'quickjs-emscripten'])(
  'lets a program end though nobody has closed its sandbox with %s',
  async (engine) => {
    const program = `
      import { quickjsSandbox } from '@utensil/sandbox-quickjs/node';
      const { text } = await quickjsSandbox({ engine: '${engine}' }).run({ code: 'return 6 * 7' });
      process.stdout.write(text);`;
    const parameters = ['--conditions=@utensil/source', '--input-type=module', '--eval', program];
    const { stdout } = await runFile(process.execPath, parameters, { cwd: import.meta.dirname, timeout: 100_000 });
    expect(stdout).toBe('42');
  },
);
