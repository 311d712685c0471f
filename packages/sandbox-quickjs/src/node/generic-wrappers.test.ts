import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { oneFile } from '../../../../tooling/fixtures/attacks/one-file.ts';

const program = await oneFile('../node.ts', import.meta.url);
const worker = await oneFile('./worker.ts', import.meta.url);
const folder = await mkdtemp(join(tmpdir(), 'wrappers-'));
afterAll(() => Promise.all([program, worker].map((url) => rm(new URL('.', url), { recursive: true }))));
afterAll(() => rm(folder, { recursive: true }));

/** Scripts whose calls of the host are far beyond the budget after which V8 compiles a wrapper for an import. */
const main = `
  import { quickjsSandbox } from '${program.href}';
  const [, , engine, wasm] = process.argv;
  const options = { engine, wasm: new URL(wasm), worker: new URL('${worker.href}'), maxWorkers: 1 };
  const sandbox = quickjsSandbox(options);
  const { text } = await sandbox.run({ code: 'let n = 0; for (let i = 0; i < 5000; i++) n += Date.now() > 0 ? 1 : 0; return n' });
  console.log(text);
  sandbox.close();
`;

const engines = [
  ['quickjs-wasi', 'quickjs-wasi/quickjs.wasm'],
  ['quickjs-emscripten', '@jitl/quickjs-wasmfile-release-sync/wasm'],
] as const;

it.each(engines)(
  'ended the process where V8 freed a wrapper that two threads of %s had shared',
  async (engine, file) => {
    const entry = join(folder, 'main.mjs');
    await writeFile(entry, main);
    const maps = await mkdtemp(join(folder, 'maps-'));
    const flags = ['--perf-basic-prof', `--perf-basic-prof-path=${maps}`]; // V8 lists all code that it compiles
    const args = [...flags, entry, engine, import.meta.resolve(file)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder }); // where V8 leaves its logs
    const lists = await Promise.all((await readdir(maps)).map((name) => readFile(join(maps, name), 'utf8')));
    const code = lists.join('\n');
    expect(stdout).toBe('5000\n');
    expect(code).toContain('wasm-function');
    expect(code).not.toContain('wasm-to-js');
  },
);

/** True if V8 takes code that the main thread cached, as each thread does with the code of Node.js when it starts. */
const isTaken = `!new Script('1', { cachedData: readFileSync('cached'), filename: 'another' }).cachedDataRejected`;

const watched = `
  import { readFileSync, writeFileSync } from 'node:fs';
  import { Script } from 'node:vm';
  import { quickjsSandbox } from '${program.href}';
  writeFileSync('cached', new Script('1').createCachedData());
  const wasm = new URL('${import.meta.resolve('quickjs-wasi/quickjs.wasm')}');
  const sandbox = quickjsSandbox({ wasm, worker: new URL('watched-worker.mjs', import.meta.url) });
  await sandbox.run({ code: 'return 1' });
  console.log(readFileSync('in-worker', 'utf8'), ${isTaken});
  sandbox.close();
`;

const watchedWorker = `
  import { existsSync, readFileSync, writeFileSync } from 'node:fs';
  import { Script } from 'node:vm';
  if (!existsSync('in-worker')) writeFileSync('in-worker', String(${isTaken})); // of the first one
  await import('${worker.href}');
`;

it('leaves V8 as it was until the first worker has started, which takes cached code', async () => {
  const entry = join(folder, 'watched.mjs');
  await writeFile(entry, watched);
  await writeFile(join(folder, 'watched-worker.mjs'), watchedWorker);
  const { stdout } = await promisify(execFile)(process.execPath, [entry], { cwd: folder });
  expect(stdout).toBe('true false\n');
});
