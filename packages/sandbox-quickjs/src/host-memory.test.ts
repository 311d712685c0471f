import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { copies } from '../../../tooling/fixtures/attacks/copies.ts';
import { oneFile } from '../../../tooling/fixtures/attacks/one-file.ts';
import type { EngineName } from './node.ts';

const worker = inject('sandboxWorker');

const runFile = promisify(execFile);

/** As one file, which starts in less than half the CPU time of its sources. */
const program = await oneFile('./test-kit/one-script.ts', import.meta.url, true);
afterAll(() => rm(new URL('.', program), { recursive: true }));

/**
 * In MiB, with the share that a text takes. `npm run test:long` uses the sandbox's default, which takes twice as long.
 */
const limit = inject('isLong') ? 128 : 64;
const millions = inject('isLong') ? 100 : 50;

/** In MiB: twice what a script may allocate, once for itself and once for its host. */
const most = 2 * limit;

const wasmOf: Readonly<Record<EngineName, string>> = {
  'quickjs-wasi': 'quickjs-wasi/quickjs.wasm',
  'quickjs-emscripten': '@jitl/quickjs-wasmfile-release-sync/wasm',
};

/** The most megabytes that a process with a sandbox takes, which runs one script. */
async function megabytesOf(engine: EngineName, code: string): Promise<number> {
  const wasm = import.meta.resolve(wasmOf[engine]);
  const parameters = [fileURLToPath(program), engine, wasm, worker, String(limit), code];
  const { stdout } = await runFile(process.execPath, parameters, { timeout: 250_000 });
  return Math.round(Number(stdout));
}

/** One of each kind among those that took more, or ended the process. */
const worst = [
  'a module with a long name',
  'encoding a wide text',
  'an error of lone surrogates outside of the wrapper',
  'a long path',
];

/**
 * `quickjs-emscripten` has no base64 of its own and encodes for 7 s, so `npm test` gives the host the same bytes as a
 * file.
 */
const worstOf: Readonly<Record<EngineName, readonly string[]>> = {
  'quickjs-wasi': worst,
  'quickjs-emscripten': inject('isLong')
    ? worst
    : worst.map((name) => (name === 'encoding a wide text' ? 'a wide file' : name)),
};

describe.each(['quickjs-wasi', 'quickjs-emscripten'] as const)('the host of %s', (engine) => {
  it('has no more memory for a script than the script may have itself', async () => {
    const idle = await megabytesOf(engine, 'return 1');
    for (const name of worstOf[engine]) {
      const code = copies(millions).find((each) => each.name === name)?.code ?? '';
      const taken = (await megabytesOf(engine, code)) - idle;
      expect([name, code !== '', taken > 0, taken <= most, taken]).toEqual([name, true, true, true, taken]);
    }
  });
});
