import { oneOf, wholeNumber } from './options.ts';
import { type Mode, variants } from './variants/index.ts';

/** What is given on the command line, as text. */
export interface Given {
  readonly quick: boolean;
  readonly rounds?: string | undefined;
  readonly mode?: string | undefined;
  readonly tools: string;
  readonly only: string;
  readonly wait?: string | undefined;
  readonly 'warm-up'?: string | undefined;
}

const modes = Object.keys(variants) as readonly Mode[];

/**
 * How thorough the run is to be.
 *
 * @throws where a value is none that its option takes.
 */
export function runLoopOptions({ quick, rounds, mode, tools, only, wait, 'warm-up': warmUp }: Given) {
  return {
    rounds: rounds === undefined ? (quick ? 1 : 5) : wholeNumber('rounds', rounds, 1),
    heapRounds: quick ? 1 : 3,
    warmUp: warmUp === undefined ? undefined : wholeNumber('warm-up', warmUp, 0),
    works: tools.split(',').map((count) => ({ tools: wholeNumber('tools', count, 1), calls: quick ? 30 : 200 })),
    modes: mode === undefined ? modes : [oneOf('mode', mode, modes)],
    only: only.split(',').flatMap((name) => (name === '' ? [] : oneOf('only', name, loops()))),
    patienceMs: wait === undefined ? (quick ? 0 : 10_000) : wholeNumber('wait', wait, 0) * 1000,
  };
}

function loops(): readonly string[] {
  return [...new Set(modes.flatMap((mode) => Object.keys(variants[mode])))];
}
