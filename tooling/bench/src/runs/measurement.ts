import type { StorageDriver } from '@utensil/core/storage';

/** How much there is to do. */
export interface Amounts {
  /** Calls of a run whose single calls are timed. */
  readonly calls: number;
  /** Runs at once. */
  readonly runs: number;
}

/** What a measurement is given. */
export interface Setup extends Amounts {
  /** An empty directory of its own. */
  readonly directory: string;
}

/** What came out, by the titles of the columns. */
export type Figures = Readonly<Record<string, number>>;

/** Throws where the work was not done as a whole. */
export type Measure = (setup: Setup) => Promise<Figures>;

/** Where a thread is kept. */
export type Open = (directory: string) => StorageDriver;

/** The value below which this share of the values is. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** @throws unless the work was done. */
export function assertDone(what: string, done: number, expected: number): void {
  if (done !== expected) throw new Error(`${done} ${what} instead of ${expected}.`);
}
