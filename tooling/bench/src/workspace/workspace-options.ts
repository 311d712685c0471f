import { wholeNumber } from '../options.ts';

/** What is given on the command line, as text. */
export interface Given {
  readonly quick: boolean;
  readonly rounds?: string | undefined;
  readonly wait?: string | undefined;
}

/**
 * How thorough the measurements are to be.
 *
 * @throws where a value is none that its option takes.
 */
export function workspaceOptions({ quick, rounds, wait }: Given) {
  return {
    quick,
    rounds: rounds === undefined ? (quick ? 1 : 5) : wholeNumber('rounds', rounds, 1),
    patienceMs: wait === undefined ? (quick ? 0 : 10_000) : wholeNumber('wait', wait, 0) * 1000,
  };
}
