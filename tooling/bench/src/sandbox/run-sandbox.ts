import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { busyMs, quiet } from '../load.ts';
import { bundle } from '../size/bundle.ts';
import { type Blocking, measureBlocking } from './blocking.ts';
import { targets } from './targets.ts';
import type { Figures, Job, Measurement } from './job.ts';
import type { Amounts } from './works.ts';

/** How thorough it is to be. */
export interface SandboxRunOptions {
  readonly rounds: number;
  readonly only: readonly string[];
  readonly amounts: Amounts;
  /** Calls of which the growth of memory is measured. */
  readonly calls: number;
  /** How long to wait for idle CPUs before each measurement. */
  readonly patienceMs: number;
  /** Told what is done. */
  progress(line: string): void;
}

/** All works of one contender, once. */
export interface SandboxSample {
  readonly contender: string;
  readonly round: number;
  readonly figures: Figures;
  /** CPUs that others kept busy meanwhile; NaN: the system does not tell. */
  readonly foreignCpus: number;
}

/** Everything that `pnpm bench sandbox` measures. */
export interface SandboxResults {
  readonly amounts: Amounts;
  readonly samples: readonly SandboxSample[];
  readonly targets: Readonly<Record<string, Figures>>;
  readonly pages: readonly Blocking[];
  /** Bytes of JavaScript, minified and compressed, that a page loads before the WebAssembly. */
  readonly javascriptBytes: number;
}

const folder = join(import.meta.dirname, '../..');

/** Measures: each contender in a fresh process, in turn, so that what disturbs one disturbs all. */
export async function runSandbox(options: SandboxRunOptions): Promise<SandboxResults> {
  const { rounds, only, amounts, calls, patienceMs, progress } = options;
  buildPackages();
  const samples: SandboxSample[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const contender of only) {
      await quiet(patienceMs);
      samples.push({ contender, round, ...(await measure({ type: 'works', contender, amounts })) });
      progress(`round ${round + 1}: ${contender}`);
    }
  }
  const reached: Record<string, Figures> = {};
  for (const target of Object.keys(targets)) {
    await quiet(patienceMs);
    reached[target] = (await measure({ type: 'target', target, calls })).figures;
    progress(target);
  }
  const pages = await measureBlocking(progress);
  return { amounts, samples, targets: reached, pages, javascriptBytes: await javascriptBytes() };
}

/** That of the page, and that of the worker, with what it loads for the default engine. */
async function javascriptBytes(): Promise<number> {
  const sizes = await Promise.all(
    ['@utensil/sandbox-quickjs', '@utensil/sandbox-quickjs/worker'].map((entry) =>
      bundle({ title: entry, program: `export * from '${entry}';`, without: ['@utensil/core'] }, folder),
    ),
  );
  return sizes.reduce((sum, { eager }) => sum + eager.gzipped, 0);
}

/** What is measured are the packages as they are published. */
function buildPackages(): void {
  const names = ['core', 'sandbox-quickjs', 'storage-memory', 'tool-javascript'];
  const filters = names.map((name) => `--filter=@utensil/${name}`);
  const turbo = join(folder, '../../node_modules/.bin/turbo');
  const { status } = spawnSync(turbo, ['run', 'build', '--output-logs=errors-only', ...filters], {
    cwd: join(folder, '../..'),
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('The packages could not be built, so there is nothing to measure.');
}

const workerPath = fileURLToPath(new URL('worker.ts', import.meta.url));

async function measure(job: Job): Promise<Pick<SandboxSample, 'figures' | 'foreignCpus'>> {
  const started = performance.now();
  const busy = busyMs();
  const own = processMs();
  const parameters = ['--expose-gc', workerPath, JSON.stringify(job)];
  const worker = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(worker.stdout), once(worker, 'close')]);
  if (code !== 0) throw new Error(`The worker of ${JSON.stringify(job)} failed.`);
  const { figures, processCpuMs } = JSON.parse(output) as Measurement;
  const foreignMs = (busyMs() ?? NaN) - (busy ?? NaN) - (processMs() - own + processCpuMs);
  return { figures, foreignCpus: Math.max(0, foreignMs / (performance.now() - started)) };
}

function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
