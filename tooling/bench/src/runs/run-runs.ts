import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { busyMs, quiet } from '../load.ts';
import { parts } from './catalog.ts';
import type { Job, Measurement } from './job.ts';
import type { Amounts, Figures } from './measurement.ts';

/** How thorough it is to be. */
export interface RunsOptions {
  readonly rounds: number;
  readonly parts: readonly string[];
  readonly amounts: Amounts;
  /** How long to wait for idle CPUs before each measurement. */
  readonly patienceMs: number;
  /** Told what is done. */
  progress(line: string): void;
}

/** One measurement. */
export interface RunsSample {
  readonly part: string;
  readonly variant: string;
  readonly round: number;
  readonly figures: Figures;
  /** CPUs that others kept busy meanwhile; NaN: the system does not tell. */
  readonly foreignCpus: number;
}

/** Measures: each variant in a fresh process, in turn, so that what disturbs one disturbs all. */
export async function runRuns(options: RunsOptions): Promise<readonly RunsSample[]> {
  const samples: RunsSample[] = [];
  for (let round = 0; round < options.rounds; round++) {
    for (const part of options.parts) {
      for (const variant of Object.keys(parts[part]?.variants ?? {})) {
        await quiet(options.patienceMs);
        samples.push({ part, variant, round, ...(await measure({ part, variant, amounts: options.amounts })) });
        options.progress(`round ${round + 1}, ${part}: ${variant}`);
      }
    }
  }
  return samples;
}

const workerPath = fileURLToPath(new URL('worker.ts', import.meta.url));

async function measure(job: Job): Promise<Pick<RunsSample, 'figures' | 'foreignCpus'>> {
  const started = performance.now();
  const busy = busyMs();
  const own = processMs();
  const parameters = ['--expose-gc', '--conditions=@utensil/source', workerPath, JSON.stringify(job)];
  const worker = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(worker.stdout), once(worker, 'close')]);
  if (code !== 0) throw new Error(`The worker of ${job.part}, ${job.variant}, failed.`);
  const { figures, processCpuMs } = JSON.parse(output) as Measurement;
  const foreignMs = (busyMs() ?? NaN) - (busy ?? NaN) - (processMs() - own + processCpuMs);
  return { figures, foreignCpus: Math.max(0, foreignMs / (performance.now() - started)) };
}

function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
