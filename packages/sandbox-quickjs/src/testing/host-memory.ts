// A program: runs a script in a process of its own, and prints how it ended and the most memory that the process has taken.

import { createFiles } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import type { EngineName } from '../engine/engine.ts';
import { quickjsSandbox } from '../node.ts';

const [engine, code = ''] = process.argv.slice(2);
const memoryBytes = 128 * 1024 * 1024;
const sandbox = quickjsSandbox({ engine: engine as EngineName, limits: { memoryBytes, workMs: 20_000 } });
const { status, text } = await sandbox.run({ code, files: createFiles(memoryStorage()) });
sandbox.close();
const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(JSON.stringify({ status, text: text.slice(0, 100), megabytes }));
