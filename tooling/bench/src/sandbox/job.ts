import type { Blocking } from './blocking.ts';
import type { Amounts } from './works.ts';

/** Job of a worker: a contender, or one of our own targets. */
export type Job =
  | { readonly type: 'works'; readonly contender: string; readonly amounts: Amounts }
  | { readonly type: 'target'; readonly target: string; readonly calls: number };

/** Results by name: milliseconds, and megabytes of `rss`. */
export type Figures = Readonly<Record<string, number>>;

/** Output of a worker. */
export interface Measurement {
  readonly figures: Figures;
  /** CPU of the whole process since its start. */
  readonly processCpuMs: number;
}

/** All works of one contender. */
export interface SandboxSample {
  readonly contender: string;
  readonly round: number;
  readonly figures: Figures;
  /** Average CPUs used by others; NaN if the system does not report it. */
  readonly foreignCpus: number;
}

/** All results. */
export interface SandboxResults {
  readonly amounts: Amounts;
  readonly samples: readonly SandboxSample[];
  readonly targets: Readonly<Record<string, Figures>>;
  readonly pages: readonly Blocking[];
  /** Bytes of JavaScript, minified and compressed, that a page loads before the WebAssembly. */
  readonly javascriptBytes: number;
}

/** A part of the results. */
export type SandboxPart =
  | { readonly kind: 'works'; readonly amounts: Amounts; readonly sample: SandboxSample }
  | { readonly kind: 'target'; readonly target: string; readonly figures: Figures }
  | { readonly kind: 'pages'; readonly pages: readonly Blocking[] }
  | { readonly kind: 'javascript'; readonly bytes: number };

/** Merges parts. */
export function toResults(parts: readonly SandboxPart[]): SandboxResults {
  const of = <Kind extends SandboxPart['kind']>(kind: Kind) =>
    parts.filter((part): part is Extract<SandboxPart, { kind: Kind }> => part.kind === kind);
  return {
    amounts: of('works')[0]?.amounts ?? { runs: 0, hostCalls: 0, parallel: 0 },
    samples: of('works').map(({ sample }) => sample),
    targets: Object.fromEntries(of('target').map(({ target, figures }) => [target, figures])),
    pages: of('pages').flatMap(({ pages }) => pages),
    javascriptBytes: of('javascript')[0]?.bytes ?? NaN,
  };
}
