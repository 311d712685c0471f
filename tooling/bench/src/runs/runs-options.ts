import { oneOf, wholeNumber } from '../options.ts';
import { parts } from './catalog.ts';

/** What is given on the command line, as text. */
export interface Given {
  readonly quick: boolean;
  readonly rounds?: string | undefined;
  readonly part: string;
  readonly wait?: string | undefined;
}

/**
 * How thorough the measurements are to be.
 *
 * @throws where a value is none that its option takes.
 */
export function runsOptions({ quick, rounds, part, wait }: Given) {
  const names = Object.keys(parts);
  return {
    rounds: rounds === undefined ? (quick ? 1 : 5) : wholeNumber('rounds', rounds, 1),
    parts: part === '' ? names : part.split(',').map((name) => oneOf('part', name, names)),
    amounts: quick ? { calls: 50, runs: 100 } : { calls: 200, runs: 1000 },
    patienceMs: wait === undefined ? (quick ? 0 : 10_000) : wholeNumber('wait', wait, 0) * 1000,
  };
}
