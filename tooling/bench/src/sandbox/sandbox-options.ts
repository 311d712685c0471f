import { oneOf, wholeNumber } from '../options.ts';
import { contenders } from './catalog.ts';

/** What is given on the command line, as text. */
export interface Given {
  readonly quick: boolean;
  readonly rounds?: string | undefined;
  readonly only: string;
  readonly wait?: string | undefined;
}

/**
 * How thorough the measurements are to be.
 *
 * @throws where a value is none that its option takes.
 */
export function sandboxOptions({ quick, rounds, only, wait }: Given) {
  const names = Object.keys(contenders);
  return {
    rounds: rounds === undefined ? (quick ? 1 : 5) : wholeNumber('rounds', rounds, 1),
    only: only === '' ? names : only.split(',').map((name) => oneOf('only', name, names)),
    amounts: quick ? { runs: 10, hostCalls: 1_000, parallel: 20 } : { runs: 50, hostCalls: 100_000, parallel: 200 },
    calls: quick ? 300 : 5_000,
    patienceMs: wait === undefined ? (quick ? 0 : 10_000) : wholeNumber('wait', wait, 0) * 1000,
  };
}
