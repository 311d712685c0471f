import { benchmark } from '../runner/benchmark.ts';
import { someOf } from '../runner/options.ts';
import { measure } from './measure.ts';
import type { Job, Reader, Sample } from './measure.ts';
import { reportDialects } from './report.ts';
import { hostileLength } from './texts.ts';

const readers: readonly Reader[] = ['auto', 'hermes', 'qwenCoder', 'mistral', 'harmony', 'indexOf alone'];

const jobs: readonly Job[] = [
  ...[65_536, 1_024, 16].flatMap((chunk) => readers.map((reader): Job => ({ part: 'prose', reader, chunk }))),
  ...(['markdown', 'calls'] as const).flatMap((part) =>
    [65_536, 16].flatMap((chunk) => readers.map((reader): Job => ({ part, reader, chunk }))),
  ),
  ...[hostileLength, 64, 4, 1].map((chunk): Job => ({ part: 'hostile', reader: 'auto', chunk })),
];

const parts = ['prose', 'markdown', 'calls', 'hostile'] as const;

interface Plan {
  readonly quick: boolean;
  readonly parts: readonly Job['part'][];
}

export const dialectsBenchmark = benchmark<Plan, Job, Sample>({
  name: 'dialects',
  measures:
    'how fast prose, markdown and calls are read, beside a bare search for one word; the cost of hostile texts of 100 KB, read once',
  subjects: readers,
  options: ['rounds', 'quick', 'part'],
  plan: ({ rounds, quick = false, part }) => ({
    rounds: quick ? 1 : Number(rounds ?? 5),
    patienceMs: 0,
    quick,
    parts: someOf('part', part, parts),
  }),
  open: (plan) => ({
    jobs: (round) => jobs.filter(({ part }) => plan.parts.includes(part) && (part !== 'hostile' || round === 0)),
    measure: async (job, round) => [await measure(job, round, plan.quick)],
  }),
  report: reportDialects,
});
