// Runs one measurement in its own process. Prints the result as JSON.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parts } from './catalog.ts';
import type { Job } from './job.ts';

const { part, variant, amounts } = JSON.parse(process.argv[2] ?? '') as Job;
const load = parts[part]?.variants[variant];
if (load === undefined) throw new Error(`There is no variant "${variant}" of "${part}".`);
const directory = await mkdtemp(join(tmpdir(), 'bench-runs-'));
try {
  const measure = await load();
  const figures = await measure({ ...amounts, directory });
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ figures, processCpuMs: (user + system) / 1000 }));
} finally {
  await rm(directory, { recursive: true, force: true });
}
