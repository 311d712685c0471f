import { join } from 'node:path';
import { benchmark } from '../runner/benchmark.ts';
import { inWorker } from '../runner/worker.ts';
import { readers } from './catalog.ts';
import type { Job, MapperSample, Measurement } from './job.ts';
import { type MappersPlan, mappersPlan } from './plan.ts';
import { reportMappers } from './report.ts';

/** Gemini's limit on functions; our provider reports an excess. */
const mostGeminiTools = 512;

export const mappersBenchmark = benchmark({
  name: 'mappers',
  measures: 'a stream and a request of our providers',
  subjects: ['Utensil', "the vendor's SDK alone"],
  options: ['quick', 'rounds', 'api', 'only', 'pieces', 'wait'],
  plan: mappersPlan,
  open: (plan: MappersPlan) => ({
    jobs: () => jobsOf(plan),
    measure: measureMapper,
    tell: (job: Job, [sample]: readonly MapperSample[]) => `${titleOf(job)}, ${sample?.cpuUs.toFixed(2)} µs`,
  }),
  report: reportMappers,
});

function titleOf(job: Job): string {
  return `${job.api}, ${job.kind === 'stream' ? job.work : 'requests'}: ${job.reader}`;
}

function jobsOf({ apis, works, deltas, events, pieceBytes, threads, messages, tools }: MappersPlan): readonly Job[] {
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

async function measureMapper(job: Job, round: number): Promise<readonly MapperSample[]> {
  const script = join(import.meta.dirname, 'worker.ts');
  return [{ ...(await inWorker<Measurement>(job, { script, title: titleOf(job) })), job, round }];
}
