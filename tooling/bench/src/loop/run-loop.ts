import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { busyMs, cpuMsOf, quiet } from '../load.ts';
import { type Mode, variants } from '../variants/index.ts';
import { assertEqualBodies } from './bodies.ts';
import type { Job, Measurement } from './job.ts';
import type { Session } from './server.ts';
import type { Work } from './work.ts';

/** How thorough it is to be. */
export interface RunLoopOptions {
  readonly rounds: number;
  /** Rounds that count what is allocated. */
  readonly heapRounds: number;
  readonly works: readonly Work[];
  /** Calls of the run before the one that is measured. Default: as many as that one has. */
  readonly warmUp: number | undefined;
  readonly modes: readonly Mode[];
  /** Only these variants; empty: all. */
  readonly only: readonly string[];
  /** How long to wait for idle CPUs before each run. */
  readonly patienceMs: number;
  /** Told what is done. */
  progress(line: string): void;
}

/** One run of a variant. */
export interface Sample extends Measurement {
  readonly mode: Mode;
  readonly variant: string;
  readonly work: Work;
  readonly round: number;
  /** CPUs that others kept busy meanwhile; NaN: the system does not tell. */
  readonly foreignCpus: number;
}

/** A young generation of 2 GB, so that what the heap grows by is what was allocated. */
const heapFlags = ['--min-semi-space-size=1024', '--max-semi-space-size=1024', '--no-incremental-marking'];

/** Measures: each run in a fresh process, the variants in turn, so that what disturbs one disturbs all. */
export async function runLoop(options: RunLoopOptions): Promise<readonly Sample[]> {
  await using server = await spawnServer();
  const samples: Sample[] = [];
  if (options.modes.includes('http'))
    for (const { tools } of options.works) await assertEqualBodies({ calls: 3, tools }, server);
  for (let round = 0; round < options.rounds + options.heapRounds; round++) {
    const countsHeap = round >= options.rounds;
    for (const mode of options.modes) {
      for (const work of options.works) {
        for (const variant of Object.keys(variants[mode])) {
          if (options.only.length > 0 && !options.only.includes(variant)) continue;
          await quiet(options.patienceMs);
          const job = { mode, variant, work, warmUp: options.warmUp ?? work.calls, countsHeap, url: server.url };
          const measured = await measure(job, server.pid);
          samples.push({ ...measured, mode, variant, work, round });
          options.progress(
            `round ${round + 1}, ${mode}, ${work.tools} tools: ${variant}, ${measured.cpuMs.toFixed(3)} ms of CPU a step`,
          );
        }
      }
    }
  }
  return samples;
}

async function measure(
  job: Job,
  serverPid: number | undefined,
): Promise<Measurement & { readonly foreignCpus: number }> {
  const started = performance.now();
  const busy = busyMs();
  const own = cpuMsOf(serverPid) + processMs();
  const worker = spawnScript('worker.ts', {
    flags: ['--expose-gc', ...(job.countsHeap ? heapFlags : [])],
    parameters: [JSON.stringify(job)],
  });
  const [output, [code]] = await Promise.all([text(worker.stdout), once(worker, 'close')]);
  if (code !== 0) throw new Error(`The worker of ${job.mode} ${job.variant} failed.`);
  const measurement = JSON.parse(output) as Measurement;
  const ours = cpuMsOf(serverPid) + processMs() - own + measurement.processCpuMs;
  const foreignMs = (busyMs() ?? NaN) - (busy ?? NaN) - ours;
  return { ...measurement, foreignCpus: Math.max(0, foreignMs / (performance.now() - started)) };
}

function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function spawnServer() {
  const child = spawnScript('serve.ts');
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    url,
    pid: child.pid,
    bodiesOf: async (session: string) => ((await (await fetch(`${url}/${session}`)).json()) as Session).bodies,
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await once(child, 'close');
    },
  };
}

interface Script {
  readonly flags?: readonly string[];
  readonly parameters?: readonly string[];
}

function spawnScript(name: string, { flags = [], parameters = [] }: Script = {}) {
  const script = join(import.meta.dirname, name);
  return spawn(process.execPath, [...flags, '--conditions=@utensil/source', script, ...parameters], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
