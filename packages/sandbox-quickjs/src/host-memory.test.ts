import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { copies } from '../../../tooling/fixtures/attacks/copies.ts';

const runFile = promisify(execFile);

/**
 * In MiB, with the share that a text takes. `npm run test:long` uses the sandbox's default, which takes twice as long.
 */
const limit = inject('isLong') ? 128 : 64;
const millions = inject('isLong') ? 100 : 50;

/** In MiB: twice what a script may allocate, once for itself and once for its host. */
const most = 2 * limit;

const program = `
  import { createFiles } from '@utensil/core';
  import { quickjsSandbox } from '@utensil/sandbox-quickjs/node';
  import { memoryStorage } from '@utensil/storage-memory';
  const [engine, code] = process.argv.slice(1);
  let most = 0;
  const look = () => (most = Math.max(most, process.memoryUsage.rss())); // its own maximum has its parent's in it
  const looking = setInterval(look, 2);
  const sandbox = quickjsSandbox({ engine, limits: { memoryBytes: ${limit} * 1024 * 1024, workMs: 20_000 } });
  await sandbox.run({ code, files: createFiles(memoryStorage()) });
  sandbox.close();
  look();
  clearInterval(looking);
  process.stdout.write(String(most / 2 ** 20));`;

/** The most megabytes that a process with a sandbox takes, which runs one script. */
async function megabytesOf(engine: string, code: string): Promise<number> {
  const parameters = ['--conditions=@utensil/source', '--input-type=module', '--eval', program, engine, code];
  const { stdout } = await runFile(process.execPath, parameters, { cwd: import.meta.dirname, timeout: 250_000 });
  return Math.round(Number(stdout));
}

/** One of each kind among those that took more, or ended the process. */
const worst = [
  'a module with a long name',
  'encoding a wide text',
  'an error of lone surrogates outside of the wrapper',
  'a long path',
];

describe.each(['quickjs-wasi', 'quickjs-emscripten'])('the host of %s', { timeout: 300_000 }, (engine) => {
  it('has no more memory for a script than the script may have itself', async () => {
    const idle = await megabytesOf(engine, 'return 1');
    for (const name of worst) {
      const code = copies(millions).find((each) => each.name === name)?.code ?? '';
      const taken = (await megabytesOf(engine, code)) - idle;
      expect([name, code !== '', taken > 0, taken <= most, taken]).toEqual([name, true, true, true, taken]);
    }
  });
});
