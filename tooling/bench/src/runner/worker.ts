// A job in a process of its own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { busyMs, cpuMsOf } from './load.ts';

interface WorkerOptions {
  /** The module that does it: it takes the job as JSON, and prints what it took as JSON. */
  readonly script: string;
  /** What it does, for people. */
  readonly title: string;
  readonly flags?: readonly string[];
  /** A process that works for it, and counts as its own. */
  readonly server?: number | undefined;
}

/** What every worker prints. */
interface Taken {
  /** CPU of all its processes, from their start. */
  readonly processCpuMs: number;
}

/** Has a job done; `foreignCpus` is how many CPUs others kept busy meanwhile, NaN if the system does not tell. */
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
  const measurement = JSON.parse(output, (_, value: unknown) => value ?? NaN) as Measurement; // JSON has no NaN
  const ours = cpuMsOf(server) + processMs() - own + measurement.processCpuMs;
  const foreignMs = (busyMs() ?? NaN) - (busy ?? NaN) - ours;
  return { ...measurement, foreignCpus: Math.max(0, foreignMs / (performance.now() - started)) };
}

function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
