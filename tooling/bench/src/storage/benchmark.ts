import { join } from 'node:path';
import { benchmark } from '../runner/benchmark.ts';
import { inWorker } from '../runner/worker.ts';
import { type Backend, type Scenario, type Variant, variants } from './catalog.ts';
import type { Job, Measurement, StorageSample } from './job.ts';
import { type StoragePlan, storagePlan } from './plan.ts';
import { reportStorage } from './report.ts';
import type { Amounts } from './work.ts';

export const storageBenchmark = benchmark({
  name: 'storage',
  measures: 'to write, read, list and search files',
  subjects: [
    ...new Set(
      Object.values<Readonly<Record<string, Variant>>>(variants).flatMap((of) =>
        Object.values(of).map(({ title }) => title),
      ),
    ),
  ],
  options: ['quick', 'rounds', 'backend', 'only', 'wait'],
  plan: storagePlan,
  open: (plan: StoragePlan) => ({
    jobs: (round) => jobsOf(plan, round),
    measure: measureStorage,
    tell: ({ backend, scenario, variant }: Job, samples: readonly StorageSample[]) => {
      const seconds = samples.reduce((sum, { ms }) => sum + ms, 0) / 1000;
      return `${backend}, ${scenario}: ${variant}, ${seconds.toFixed(1)} s of work`;
    },
  }),
  report: reportStorage,
});

/** Compared jobs are adjacent. */
function jobsOf({ backends, only, quick }: StoragePlan, round: number): readonly Job[] {
  const scenarios: readonly Scenario[] = ['small', 'many', 'large'];
  return backends.flatMap((backend) =>
    scenarios.flatMap((scenario) =>
      Object.entries<Variant>(variants[backend])
        .filter(([name]) => only.includes(name))
        .filter(([, { scenarios: its, once }]) => its.includes(scenario) && !(round > 0 && once?.includes(scenario)))
        .map(([variant]) => {
          const amounts = amountsOf(backend, { isDurable: variant.endsWith('durable'), quick });
          return { backend, variant, scenario, amounts, warmUp: warmUpOf(amounts) };
        }),
    ),
  );
}

/** Fewer operations if each takes long. */
function amountsOf(backend: Backend, { isDurable, quick }: { isDurable: boolean; quick: boolean }): Amounts {
  const usual = backend === 'memory' ? 20_000 : isDurable ? 300 : 3000;
  return quick
    ? { small: usual / 10, many: 1000, largeBytes: 5_000_000 }
    : { small: usual, many: 10_000, largeBytes: 50_000_000 };
}

function warmUpOf({ small, many, largeBytes }: Amounts): Amounts {
  return { small: Math.min(small, 5000), many: many / 10, largeBytes: largeBytes / 10 };
}

async function measureStorage(job: Job, round: number): Promise<readonly StorageSample[]> {
  const { backend, variant, amounts } = job;
  const { timings, foreignCpus } = await inWorker<Measurement>(job, {
    script: join(import.meta.dirname, 'worker.ts'),
    title: `${backend} ${variant}`,
  });
  return timings.map((timing) => ({ ...timing, backend, variant, amounts, round, foreignCpus }));
}
