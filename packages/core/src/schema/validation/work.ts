import { UtensilError } from '../../base/errors.ts';

/** Remaining work budget of a validation. */
export interface Work {
  left: number;
  /** Depth of nested evaluations. */
  depth: number;
}

/** Maximum number of evaluations, comparisons and other steps: a few tenths of a second. */
const mostSteps = 2_000_000;

/** Maximum depth of nested evaluations: about a quarter of the stack in browsers and Node.js. */
const deepest = 1_000;

/** Creates a full budget. */
export function newWork(): Work {
  return { left: mostSteps, depth: 0 };
}

/** Takes steps from the budget. */
export function spend(work: Work, steps: number): void {
  work.left -= steps;
  if (work.left < 0) {
    throw new UtensilError(
      'schema_too_costly',
      `Validation stopped after ${mostSteps} steps: send a smaller value, or simplify the schema (fewer alternatives, fewer repeated $refs, shorter patterns).`,
    );
  }
}

/** Enters a nested evaluation. */
export function enter(work: Work): void {
  spend(work, 1);
  if (++work.depth <= deepest) return;
  throw new UtensilError(
    'schema_too_costly',
    `Validation stopped at a depth of ${deepest} schemas: send a value that is nested less deeply, or shorten the chains of $ref in the schema.`,
  );
}
