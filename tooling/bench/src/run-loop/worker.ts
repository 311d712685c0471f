// Runs one measurement in its own process: a variant with warm-up runs and a measured run. Prints the result as JSON.

import { setTimeout } from 'node:timers/promises';
import { allocatedBytes } from '../runner/allocations.ts';
import { median } from '../runner/statistics.ts';
import { variants } from './variants/index.ts';
import type { Loop } from './variants/variant.ts';
import type { Job, Measurement } from './job.ts';
import { type Session, sessionPath } from './server.ts';
import { finalText, type Work } from './work.ts';

const job = JSON.parse(process.argv[2] ?? '') as Job;
const { mode, variant: name, work, warmUp, url, samplingInterval } = job;
let marks: number[] = [];
let requests = 0;
let fastestStepMs = Infinity;

const variant = await variants[mode][name]?.load();
if (variant === undefined) throw new Error(`There is no variant "${name}" of mode "${mode}".`);
const loop = variant({ tools: work.tools, onCall: mark, onRequest: () => requests++ });
for (let left = warmUp; left > 0; left -= work.calls)
  await perform(loop, { ...work, calls: Math.min(left, work.calls) });
console.log(JSON.stringify(await measure(loop)));

function mark(): void {
  marks.push(performance.now());
}

/** Runs the variant, and verifies that it did all the work. */
async function perform(loop: Loop, work: Work): Promise<void> {
  const session = sessionPath(work, crypto.randomUUID());
  marks = [];
  requests = 0;
  const text = await loop.run(work, `${url}/${session}/v1`);
  const seen = mode === 'http' ? await requestsOf(session) : requests;
  if (text !== finalText(work)) throw new Error(`${name}: the final text is "${text}".`);
  if (marks.length !== work.calls || seen !== work.calls + 1)
    throw new Error(`${name}: ${marks.length} calls and ${seen} requests for ${work.calls} calls.`);
  if (work.calls === job.work.calls) fastestStepMs = Math.min(fastestStepMs, stepMs(1, work.calls));
}

async function requestsOf(session: string): Promise<number> {
  const response = await fetch(`${url}/${session}`);
  return ((await response.json()) as Session).requests;
}

async function measure(loop: Loop): Promise<Measurement> {
  await setTimeout(50); // no forced collection: it also discards optimized code whose objects are dead
  const cpu = process.cpuUsage();
  const started = performance.now();
  const allocated =
    samplingInterval > 0
      ? await allocatedBytes(() => perform(loop, work), samplingInterval)
      : await perform(loop, work);
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  const all = process.cpuUsage();
  return {
    wallMs: wall / work.calls,
    cpuMs: (user + system) / 1000 / work.calls,
    stepMs: fastestStepMs,
    earlyMs: stepMs(5, 25),
    lateMs: stepMs(work.calls - 20, work.calls),
    ...(allocated !== undefined && { allocatedKb: allocated / 1024 / work.calls }),
    processCpuMs: (all.user + all.system) / 1000,
  };
}

/** Median time between calls in a part of the run. */
function stepMs(from: number, to: number): number {
  const times = marks.slice(from, to).map((mark, index) => mark - (marks[from + index - 1] ?? mark));
  return median(times);
}
