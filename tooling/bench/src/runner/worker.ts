// Runs a job in its own process.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { busyMs, cpuMsOf } from './load.ts';

interface WorkerOptions {
  /** The worker's module: it gets the job as JSON, and prints the result as JSON. */
  readonly script: string;
  /** Description of the job, for people. */
  readonly title: string;
  readonly flags?: readonly string[];
  /** A helper process, whose usage counts as the worker's. */
  readonly server?: number | undefined;
}

/** Output common to all workers. */
interface Taken {
  /** CPU of all its processes since their start. */
  readonly processCpuMs: number;
}

/** Runs a job; `foreignCpus` is the average number of CPUs used by others, NaN if the system does not report it. */
export async function inWorker<Measurement extends Taken>(
  job: unknown,
  { script, title, flags = ['--conditions=@utensil/source'], server }: WorkerOptions,
): Promise<Measurement & { readonly foreignCpus: number }> {
  const started = performance.now();
  const busy = busyMs();
  const own = cpuMsOf(server) + processMs();
  const worker = spawn(process.execPath, ['--expose-gc', ...flags, script, JSON.stringify(job)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([
    text(worker.stdout),
    text(worker.stderr),
    once(worker, 'close') as Promise<[number | null]>,
  ]);
  if (code !== 0) throw new Error(`${title} could not be measured:\n${errors.trim() || `it ended with ${code}`}`);
  process.stderr.write(errors);
  const measurement = JSON.parse(output, (_, value: unknown) => value ?? NaN) as Measurement; // JSON cannot represent NaN
  const ours = cpuMsOf(server) + processMs() - own + measurement.processCpuMs;
  const foreignMs = (busyMs() ?? NaN) - (busy ?? NaN) - ours;
  return { ...measurement, foreignCpus: Math.max(0, foreignMs / (performance.now() - started)) };
}

function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
