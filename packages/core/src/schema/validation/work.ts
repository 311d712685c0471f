import { UtensilError } from '../../base/errors.ts';

/** The work that one validation may still do. */
export interface Work {
  left: number;
  /** Evaluations that are under way, one inside the other. */
  depth: number;
}

/** Evaluations, comparisons and the like in one validation: a few tenths of a second. */
const mostSteps = 2_000_000;

/** Evaluations inside each other. Together about a quarter of the stack of a browser or of Node.js. */
const deepest = 1_000;

/** A full budget for one validation. */
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

/** Goes one evaluation deeper. */
export function enter(work: Work): void {
  spend(work, 1);
  if (++work.depth <= deepest) return;
  throw new UtensilError(
    'schema_too_costly',
    `Validation stopped at a depth of ${deepest} schemas: send a value that is nested less deeply, or shorten the chains of $ref in the schema.`,
  );
}
