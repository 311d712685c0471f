import { join } from 'node:path';
import { benchmark } from '../runner/benchmark.ts';
import { inWorker } from '../runner/worker.ts';
import { parts } from './catalog.ts';
import type { Job, Measurement, RunsSample } from './job.ts';
import { type RunsPlan, runsPlan } from './plan.ts';
import { reportRuns } from './report.ts';

export const runsBenchmark = benchmark({
  name: 'runs',
  measures: 'a run: until its tools start, with a thousand beside it, for its journal, and in tokens',
  subjects: [...new Set(Object.values(parts).flatMap(({ variants }) => Object.keys(variants)))],
  options: ['quick', 'rounds', 'part', 'wait'],
  plan: runsPlan,
  open: (plan: RunsPlan) => ({
    jobs: () =>
      plan.parts.flatMap((part) =>
        Object.keys(parts[part]?.variants ?? {}).map((variant): Job => ({ part, variant, amounts: plan.amounts })),
      ),
    measure: measureRuns,
    tell: ({ part, variant }: Job) => `${part}: ${variant}`,
  }),
  report: reportRuns,
});

async function measureRuns(job: Job, round: number): Promise<readonly RunsSample[]> {
  const { part, variant } = job;
  const { figures, foreignCpus } = await inWorker<Measurement>(job, {
    script: join(import.meta.dirname, 'worker.ts'),
    title: `${part}, ${variant}`,
  });
  return [{ part, variant, round, figures, foreignCpus }];
}
