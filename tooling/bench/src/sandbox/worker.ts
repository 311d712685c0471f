// Runs one measurement in its own process, with our packages as published. Prints the result as JSON.

import { contenders } from './catalog.ts';
import type { Figures, Job, Measurement } from './job.ts';
import { measureWorks } from './measure-works.ts';

const job = JSON.parse(process.argv[2] ?? '') as Job;
const figures = await measure();
const { user, system } = process.cpuUsage();
const measurement: Measurement = { figures, processCpuMs: (user + system) / 1000 };
process.stdout.write(`${JSON.stringify(measurement)}\n`, () => process.exit()); // some contenders leave threads running

async function measure(): Promise<Figures> {
  if (job.type === 'works') {
    const contender = contenders[job.contender];
    if (contender === undefined) throw new Error(`There is no contender "${job.contender}".`);
    return measureWorks(contender, job.amounts);
  }
  const { targets } = await import('./targets.ts');
  const target = targets[job.target];
  if (target === undefined) throw new Error(`There is no target "${job.target}".`);
  return target(job.calls);
}
