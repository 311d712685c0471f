// Runs in the page: a sandbox in workers, and a function that runs one script in it.

import { createFiles } from '@utensil/core';
import { quickjsSandbox } from '@utensil/sandbox-quickjs';
import { memoryStorage } from '@utensil/storage-memory';

/** Interface between the page and its opener. */
export interface PageScope {
  /** Returns the status of the script. */
  runScript(code: string): Promise<string>;
}

const sandbox = quickjsSandbox({
  wasm: new URL('/quickjs.wasm', location.href),
  worker: () => new Worker('/worker.js', { type: 'module' }),
});

(globalThis as unknown as PageScope).runScript = async (code) => {
  const files = createFiles(memoryStorage());
  const hostFunctions = { 'host.add': (n: unknown) => Number(n) + 1 };
  const { status } = await sandbox.run({ code, files, hostFunctions, limits: { workMs: 1_000, wallMs: 5_000 } });
  return status;
};
