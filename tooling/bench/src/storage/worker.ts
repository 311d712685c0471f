// Runs one measurement in its own processes: a variant with a warm-up and its work. Prints the result as JSON.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Job, Measurement } from './job.ts';
import { keepers, type Open } from './keepers.ts';
import { cpuMsOfAll, writtenBy } from './processes.ts';
import { perform, type Reading, type Timing } from './scenarios.ts';

const job = JSON.parse(process.argv[2] ?? '') as Job;
const directory = await mkdtemp(join(tmpdir(), 'bench-storage-'));
try {
  console.log(JSON.stringify(await measure()));
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function measure(): Promise<Measurement> {
  const { backend, variant } = job;
  if (backend === 'indexeddb') return (await import('./chromium.ts')).measureInChromium(job, directory);
  const open = keepers[backend][variant];
  if (open === undefined) throw new Error(`There is no variant "${variant}" of "${backend}".`);
  await performIn(open, 'warm-up', job.warmUp);
  globalThis.gc?.();
  await setTimeout(50);
  const timings = await performIn(open, 'measured', job.amounts);
  return { timings, processCpuMs: cpuMsOfAll([process.pid]) };
}

async function performIn(open: Open, name: string, amounts: Job['amounts']): Promise<readonly Timing[]> {
  const home = await mkdtemp(join(directory, name));
  const keeper = await open(home);
  try {
    return await perform(job.scenario, keeper, { amounts, meter });
  } finally {
    await keeper.close();
  }
}

function meter(): Reading {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, written: job.backend === 'filesystem' ? writtenBy([process.pid]) : NaN };
}
