// A benchmark as data, and its runner: rounds of alternating jobs, so that a disturbance affects all of them.

import { quiet } from './load.ts';
import type { Effort, Given, OptionName } from './options.ts';

/** A benchmark: the contenders and the work. */
export interface Benchmark<Plan, Job, Sample> {
  readonly name: string;
  /** Description in one line, for --help. */
  readonly measures: string;
  /** Us and our peers, with their names in reports. */
  readonly subjects: readonly string[];
  readonly options: readonly OptionName[];
  /** Parses the options. Throws if one is invalid. */
  plan(given: Given): Plan & Effort;
  /** Prepares everything that jobs share. Throws with the reason if a peer is missing. */
  open(plan: Plan & Effort): Session<Job, Sample> | Promise<Session<Job, Sample>>;
  report(samples: readonly Sample[], plan: Plan): string;
  /** Reason why the result is a failure. */
  failure?(samples: readonly Sample[], plan: Plan): string | undefined;
}

/** A prepared benchmark. */
export interface Session<Job, Sample> {
  /** Jobs of a round, numbered from 0. Compared jobs are adjacent. */
  jobs(round: number): readonly Job[];
  /** Runs a job once. Throws if the work was incomplete. */
  measure(job: Job, round: number): Promise<readonly Sample[]> | readonly Sample[];
  /** One line about a finished job. */
  tell?(job: Job, samples: readonly Sample[]): string | undefined;
  close?(): void | Promise<void>;
}

/** A benchmark without its type parameters. */
export interface AnyBenchmark extends Pick<
  Benchmark<never, never, never>,
  'name' | 'measures' | 'subjects' | 'options'
> {
  /** Parses the options, and returns a runner. Throws if an option is invalid. */
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
