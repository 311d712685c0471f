import { type Effort, effortOf, type Given, someOf } from '../runner/options.ts';
import { contenders } from './catalog.ts';
import type { Amounts } from './works.ts';

/** How thorough the measurements are to be. */
export interface SandboxPlan extends Effort {
  readonly only: readonly string[];
  readonly amounts: Amounts;
  /** Calls of which the growth of memory is measured. */
  readonly calls: number;
}

/** Throws if a value is none that its option takes. */
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
