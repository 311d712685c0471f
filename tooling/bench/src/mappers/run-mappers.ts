import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { busyMs, quiet } from '../load.ts';
import { type ApiName, readers, type WorkName } from './catalog.ts';
import type { Job, Measurement } from './job.ts';

/** How thorough it is to be. */
export interface MappersOptions {
  readonly rounds: number;
  readonly apis: readonly ApiName[];
  readonly works: readonly WorkName[];
  /** Of an answer. */
  readonly deltas: number;
  /** See {@link Job}. */
  readonly events: number;
  readonly pieceBytes: number;
  /** How many threads are sent; 0: no requests are measured. */
  readonly threads: number;
  readonly messages: number;
  readonly tools: number;
  /** How long to wait for idle CPUs before each measurement. */
  readonly patienceMs: number;
  /** Told what is done. */
  progress(line: string): void;
}

/** One measurement of one job. */
export interface MapperSample extends Measurement {
  readonly job: Job;
  readonly round: number;
  /** CPUs that others kept busy meanwhile; NaN: the system does not tell. */
  readonly foreignCpus: number;
}

/** What Gemini takes at most; our provider says so of more. */
const mostGeminiTools = 512;

/** Measures: each job in a fresh process, the SDK and we in turn, so that what disturbs one disturbs both. */
export async function runMappers(options: MappersOptions): Promise<readonly MapperSample[]> {
  const samples: MapperSample[] = [];
  for (let round = 0; round < options.rounds; round++) {
    for (const job of jobsOf(options)) {
      await quiet(options.patienceMs);
      const measured = await measureApart(job);
      samples.push({ ...measured, job, round });
      options.progress(
        `round ${round + 1}, ${job.api}, ${titleOf(job)}: ${job.reader}, ${measured.cpuUs.toFixed(2)} µs`,
      );
    }
  }
  return samples;
}

function titleOf(job: Job): string {
  return job.kind === 'stream' ? job.work : 'requests';
}

function jobsOf(options: MappersOptions): readonly Job[] {
  const { apis, works, deltas, events, pieceBytes, threads, messages, tools } = options;
  return apis.flatMap((api) => [
    ...works.flatMap((work) =>
      readers.map((reader): Job => ({ kind: 'stream', api, work, reader, deltas, events, pieceBytes })),
    ),
    ...(threads === 0 ? [] : readers).map((reader): Job => {
      const taken = api === 'gemini' ? Math.min(tools, mostGeminiTools) : tools;
      return { kind: 'request', api, reader, messages, tools: taken, threads };
    }),
  ]);
}

const workerPath = fileURLToPath(new URL('worker.ts', import.meta.url));

async function measureApart(job: Job): Promise<Measurement & { readonly foreignCpus: number }> {
  const started = performance.now();
  const busy = busyMs();
  const own = processMs();
  const flags = ['--expose-gc', '--conditions=@utensil/source'];
  const parameters = [workerPath, JSON.stringify(job)];
  const worker = spawn(process.execPath, [...flags, ...parameters], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(worker.stdout), once(worker, 'close')]);
  if (code !== 0) throw new Error(`The worker of ${job.api}, ${titleOf(job)}, ${job.reader} failed.`);
  const measurement = JSON.parse(output) as Measurement;
  const foreignMs = (busyMs() ?? NaN) - (busy ?? NaN) - (processMs() - own + measurement.processCpuMs);
  return { ...measurement, foreignCpus: Math.max(0, foreignMs / (performance.now() - started)) };
}

function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
