import { join } from 'node:path';
import { benchmark, type Session } from '../runner/benchmark.ts';
import { buildPackages, home } from '../runner/build.ts';
import { inWorker } from '../runner/worker.ts';
import { bundlers } from '../../../surface/bundlers.ts';
import { measureBlocking } from './blocking.ts';
import { contenders } from './catalog.ts';
import { type Job, type Measurement, type SandboxPart, toResults } from './job.ts';
import { type SandboxPlan, sandboxPlan } from './plan.ts';
import { reportSandbox } from './report.ts';
import { targets } from './targets.ts';

export const sandboxBenchmark = benchmark({
  name: 'sandbox',
  measures: 'scripts in a sandbox, and what they do to a page; needs Chromium',
  subjects: Object.values(contenders).map(({ title }) => title),
  options: ['quick', 'rounds', 'only', 'wait'],
  plan: sandboxPlan,
  open: openSandbox,
  report: (parts) => reportSandbox(toResults(parts)),
});

type SandboxJob = Job | { readonly type: 'pages' } | { readonly type: 'javascript' };

function openSandbox({ rounds, only, amounts, calls }: SandboxPlan): Session<SandboxJob, SandboxPart> {
  buildPackages('core', 'sandbox-quickjs', 'storage-memory', 'tool-javascript');
  const once: readonly SandboxJob[] = [
    ...Object.keys(targets).map((target): SandboxJob => ({ type: 'target', target, calls })),
    { type: 'pages' },
    { type: 'javascript' },
  ];
  return {
    jobs: (round) => [
      ...only.map((contender): SandboxJob => ({ type: 'works', contender, amounts })),
      ...(round === rounds - 1 ? once : []),
    ],
    measure: async (job, round) => [await measurePart(job, round)],
    tell: titleOf,
  };
}

function titleOf(job: SandboxJob): string {
  return job.type === 'works' ? job.contender : job.type === 'target' ? job.target : job.type;
}

async function measurePart(job: SandboxJob, round: number): Promise<SandboxPart> {
  if (job.type === 'pages') return { kind: 'pages', pages: await measureBlocking() };
  if (job.type === 'javascript') return { kind: 'javascript', bytes: await javascriptBytes() };
  const script = join(import.meta.dirname, 'worker.ts');
  const measured = await inWorker<Measurement>(job, { script, title: titleOf(job), flags: [] }); // as published
  const { figures, foreignCpus } = measured;
  if (job.type === 'target') return { kind: 'target', target: job.target, figures };
  const { contender, amounts } = job;
  return { kind: 'works', amounts, sample: { contender, round, figures, foreignCpus } };
}

/** Size of the code that page and worker load at first. The engine follows its WebAssembly. */
async function javascriptBytes(): Promise<number> {
  const sizes = await Promise.all(
    ['@utensil/sandbox-quickjs', '@utensil/sandbox-quickjs/worker'].map((entry) =>
      bundlers.esbuild(`export * from '${entry}';`, { folder: home, without: ['@utensil/core'] }),
    ),
  );
  return sizes.reduce((sum, { eager }) => sum + eager, 0);
}
