// Runs one measurement in its own process. Prints the result as JSON.

import type { Job } from './job.ts';
import { measure } from './measure.ts';

const figures = await measure(JSON.parse(process.argv[2] ?? '') as Job);
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ ...figures, processCpuMs: (user + system) / 1000 }));
