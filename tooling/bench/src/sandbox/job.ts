import type { Amounts } from './works.ts';

/** What a worker is to measure: a contender, or one of our own targets. */
export type Job =
  | { readonly type: 'works'; readonly contender: string; readonly amounts: Amounts }
  | { readonly type: 'target'; readonly target: string; readonly calls: number };

/** What came out, by name. Milliseconds, and megabytes of `rss`. */
export type Figures = Readonly<Record<string, number>>;

/** What a worker prints. */
export interface Measurement {
  readonly figures: Figures;
  /** Of the whole process, from its start. */
  readonly processCpuMs: number;
}
