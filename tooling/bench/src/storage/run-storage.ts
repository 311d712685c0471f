import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { busyMs, quiet } from '../load.ts';
import { type Backend, type Scenario, type Variant, variants } from './catalog.ts';
import type { Job, Measurement } from './job.ts';
import type { Timing } from './scenarios.ts';
import type { Amounts } from './work.ts';

/** How thorough it is to be. */
export interface StorageOptions {
  readonly rounds: number;
  readonly quick: boolean;
  readonly backends: readonly Backend[];
  /** Only these variants; empty: all. */
  readonly only: readonly string[];
  /** How long to wait for idle CPUs before each measurement. */
  readonly patienceMs: number;
  /** Told what is done. */
  progress(line: string): void;
}

/** One part of the work, done once. */
export interface StorageSample extends Timing {
  readonly backend: Backend;
  readonly variant: string;
  readonly amounts: Amounts;
  readonly round: number;
  /** CPUs that others kept busy meanwhile; NaN: the system does not tell. */
  readonly foreignCpus: number;
}

/** Measures: each scenario in a fresh process, the variants in turn, so that what disturbs one disturbs all. */
export async function runStorage(options: StorageOptions): Promise<readonly StorageSample[]> {
  const samples: StorageSample[] = [];
  for (let round = 0; round < options.rounds; round++) {
    for (const { backend, variant, scenario } of chosen(options, round)) {
      await quiet(options.patienceMs);
      const amounts = amountsOf(backend, { isDurable: variant.endsWith('durable'), quick: options.quick });
      const job = { backend, variant, scenario, amounts, warmUp: warmUpOf(amounts) };
      const started = performance.now();
      const { timings, foreignCpus } = await measure(job);
      samples.push(...timings.map((timing) => ({ ...timing, backend, variant, amounts, round, foreignCpus })));
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      options.progress(`round ${round + 1}, ${backend}, ${scenario}: ${variant}, ${seconds} s`);
    }
  }
  return samples;
}

type Choice = Pick<Job, 'backend' | 'variant' | 'scenario'>;

/** Those that are compared follow each other. */
function chosen({ backends, only }: StorageOptions, round: number): readonly Choice[] {
  const scenarios: readonly Scenario[] = ['small', 'many', 'large'];
  return backends.flatMap((backend) =>
    scenarios.flatMap((scenario) =>
      Object.entries<Variant>(variants[backend])
        .filter(([name]) => only.length === 0 || only.includes(name))
        .filter(([, { scenarios: its, once }]) => its.includes(scenario) && !(round > 0 && once?.includes(scenario)))
        .map(([variant]) => ({ backend, variant, scenario })),
    ),
  );
}

/** Where an operation takes long, fewer must do. */
function amountsOf(backend: Backend, { isDurable, quick }: { isDurable: boolean; quick: boolean }): Amounts {
  const usual = backend === 'memory' ? 20_000 : isDurable ? 300 : 3000;
  return quick
    ? { small: usual / 10, many: 1000, largeBytes: 5_000_000 }
    : { small: usual, many: 10_000, largeBytes: 50_000_000 };
}

function warmUpOf({ small, many, largeBytes }: Amounts): Amounts {
  return { small: Math.min(small, 5000), many: many / 10, largeBytes: largeBytes / 10 };
}

const workerPath = fileURLToPath(new URL('worker.ts', import.meta.url));

async function measure(job: Job): Promise<Measurement & { readonly foreignCpus: number }> {
  const started = performance.now();
  const busy = busyMs();
  const own = processMs();
  const flags = ['--expose-gc', '--conditions=@utensil/source'];
  const parameters = [workerPath, JSON.stringify(job)];
  const worker = spawn(process.execPath, [...flags, ...parameters], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(worker.stdout), once(worker, 'close')]);
  if (code !== 0) throw new Error(`The worker of ${job.backend} ${job.variant} failed.`);
  const measurement = JSON.parse(output, (_, value: unknown) => value ?? NaN) as Measurement;
  const foreignMs = (busyMs() ?? NaN) - (busy ?? NaN) - (processMs() - own + measurement.processCpuMs);
  return { ...measurement, foreignCpus: Math.max(0, foreignMs / (performance.now() - started)) };
}

function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
