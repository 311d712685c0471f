import { type Effort, effortOf, type Given, someOf } from '../runner/options.ts';
import { contenders } from './catalog.ts';
import type { Amounts } from './works.ts';

/** Thoroughness of the measurements. */
export interface SandboxPlan extends Effort {
  readonly only: readonly string[];
  readonly amounts: Amounts;
  /** Number of calls for the growth of memory. */
  readonly calls: number;
}

/** Throws if an option has an invalid value. */
export function sandboxPlan(given: Given): SandboxPlan {
  return {
    ...effortOf(given),
    only: someOf('only', given.only, Object.keys(contenders)),
    amounts: given.quick
      ? { runs: 10, hostCalls: 1_000, parallel: 20 }
      : { runs: 50, hostCalls: 100_000, parallel: 200 },
    calls: given.quick ? 300 : 5_000,
  };
}
