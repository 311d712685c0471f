import { type Effort, effortOf, type Given, someOf } from '../runner/options.ts';
import { parts } from './catalog.ts';
import type { Amounts } from './measurement.ts';

/** Thoroughness of the measurements. */
export interface RunsPlan extends Effort {
  readonly parts: readonly string[];
  readonly amounts: Amounts;
}

/** Throws if an option has an invalid value. */
export function runsPlan(given: Given): RunsPlan {
  return {
    ...effortOf(given),
    parts: someOf('part', given.part, Object.keys(parts)),
    amounts: given.quick ? { calls: 50, runs: 100 } : { calls: 200, runs: 1000 },
  };
}
