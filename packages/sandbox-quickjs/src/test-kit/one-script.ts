// A program that runs one script and prints the most megabytes that its process took.

import { createFiles } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { quickjsSandbox } from '../node.ts';
import type { EngineName } from '../node.ts';

const [, , engine, wasm = '', worker = '', megabytes, code = ''] = process.argv;

let most = 0;
/** Its own maximum has its parent's in it. */
const look = (): void => void (most = Math.max(most, process.memoryUsage.rss()));
const looking = setInterval(look, 2);
const sandbox = quickjsSandbox({
  engine: engine as EngineName,
  wasm: new URL(wasm),
  worker: new URL(worker),
  limits: { memoryBytes: Number(megabytes) * 1024 * 1024, workMs: 240_000, wallMs: 240_000 }, // only memory ends it
});
await sandbox.run({ code, files: createFiles(memoryStorage()) });
sandbox.close();
look();
clearInterval(looking);
process.stdout.write(String(most / 2 ** 20));
