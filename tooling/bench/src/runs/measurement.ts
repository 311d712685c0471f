import type { StorageDriver } from '@utensil/core/storage';

/** Amount of work. */
export interface Amounts {
  /** Number of calls in a run whose calls are timed individually. */
  readonly calls: number;
  /** Number of concurrent runs. */
  readonly runs: number;
}

/** Input of a measurement. */
export interface Setup extends Amounts {
  /** An empty directory. */
  readonly directory: string;
}

/** Results by column title. */
export type Figures = Readonly<Record<string, number>>;

/** Throws if the work was incomplete. */
export type Measure = (setup: Setup) => Promise<Figures>;

/** Storage of a thread. */
export type Open = (directory: string) => StorageDriver;

/** Percentile of some values, as a share. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** @throws if the work was not done. */
export function assertDone(what: string, done: number, expected: number): void {
  if (done !== expected) throw new Error(`${done} ${what} instead of ${expected}.`);
}
