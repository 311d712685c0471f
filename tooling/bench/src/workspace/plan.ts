import { type Effort, effortOf, type Given } from '../runner/options.ts';

/** Thoroughness of the measurements. */
export interface WorkspacePlan extends Effort {
  readonly quick: boolean;
}

/** Throws if an option has an invalid value. */
export function workspacePlan(given: Given): WorkspacePlan {
  return { ...effortOf(given), quick: given.quick ?? false };
}
