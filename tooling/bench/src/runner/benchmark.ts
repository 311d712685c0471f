// A benchmark as data, and the one way in which all of them are run: rounds of jobs in turn, so that what disturbs one
// disturbs all.

import { quiet } from './load.ts';
import type { Effort, Given, OptionName } from './options.ts';

/** What a benchmark compares, and how. */
export interface Benchmark<Plan, Job, Sample> {
  readonly name: string;
  /** One line for --help. */
  readonly measures: string;
  /** Us and our peers, each with the name that reports give it. */
  readonly subjects: readonly string[];
  readonly options: readonly OptionName[];
  /** Reads the options. Throws if one is wrong. */
  plan(given: Given): Plan & Effort;
  /** Makes what all jobs need. Throws with the reason if a peer is missing. */
  open(plan: Plan & Effort): Session<Job, Sample> | Promise<Session<Job, Sample>>;
  report(samples: readonly Sample[], plan: Plan): string;
  /** Why the result is a failure. */
  failure?(samples: readonly Sample[], plan: Plan): string | undefined;
}

/** A benchmark with all that its jobs need. */
export interface Session<Job, Sample> {
  /** The jobs of a round, counted from 0; those that are compared follow each other. */
  jobs(round: number): readonly Job[];
  /** Does a job once. Throws if the work was not done as a whole. */
  measure(job: Job, round: number): Promise<readonly Sample[]> | readonly Sample[];
  /** A line about a job that is done. */
  tell?(job: Job, samples: readonly Sample[]): string | undefined;
  close?(): void | Promise<void>;
}

/** A benchmark without its types. */
export interface AnyBenchmark extends Pick<
  Benchmark<never, never, never>,
  'name' | 'measures' | 'subjects' | 'options'
> {
  /** Reads the options, and gives what runs it. Throws if an option is wrong. */
  prepare(given: Given): (progress: (line: string) => void) => Promise<Outcome>;
}

export interface Outcome {
  readonly samples: readonly unknown[];
  readonly report: string;
  readonly failure: string | undefined;
}

export function benchmark<Plan, Job, Sample>(parts: Benchmark<Plan, Job, Sample>): AnyBenchmark {
  const { name, measures, subjects, options } = parts;
  return {
    name,
    measures,
    subjects,
    options,
    prepare(given) {
      const plan = parts.plan(given);
      return async (progress) => {
        const session = await parts.open(plan);
        try {
          const samples = await measureAll(session, plan, progress);
          return { samples, report: parts.report(samples, plan), failure: parts.failure?.(samples, plan) };
        } finally {
          await session.close?.();
        }
      };
    },
  };
}

async function measureAll<Job, Sample>(
  session: Session<Job, Sample>,
  { rounds, patienceMs }: Effort,
  progress: (line: string) => void,
): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round++)
    for (const job of session.jobs(round)) {
      await quiet(patienceMs);
      const found = await session.measure(job, round);
      samples.push(...found);
      const line = session.tell?.(job, found);
      if (line !== undefined) progress(`round ${round + 1}, ${line}`);
    }
  return samples;
}
