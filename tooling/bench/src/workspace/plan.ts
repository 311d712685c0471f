import { type Effort, effortOf, type Given } from '../runner/options.ts';

/** How thorough the measurements are to be. */
export interface WorkspacePlan extends Effort {
  readonly quick: boolean;
}

/** Throws if a value is none that its option takes. */
export function workspacePlan(given: Given): WorkspacePlan {
  return { ...effortOf(given), quick: given.quick ?? false };
}
