import { type Effort, effortOf, type Given, oneOf, someOf, wholeNumber } from '../runner/options.ts';
import { type Mode, variants } from './variants/index.ts';
import type { Work } from './work.ts';

/** How thorough the run is to be. */
export interface RunLoopPlan extends Effort {
  /** Rounds that measure time; those after them count what is allocated. */
  readonly timedRounds: number;
  readonly works: readonly Work[];
  /** Calls of the run before the one that is measured. Default: as many as that one has. */
  readonly warmUp: number | undefined;
  readonly modes: readonly Mode[];
  /** Only these variants. */
  readonly only: readonly string[];
  /** What to do with ratios that grew. Default: they are not looked at. */
  readonly gate: Gate | undefined;
}

export type Gate = (typeof gates)[number];

const gates = ['fail', 'print'] as const;

/** As many rounds as it takes until the middle of their ratios stays where it is. */
const roundsOfGate = '15';

const modes = Object.keys(variants) as readonly Mode[];

/** Throws if a value is none that its option takes. */
export function runLoopPlan(given: Given): RunLoopPlan {
  const { quick, mode, tools = '1,100,1000', 'warm-up': warmUp } = given;
  const gate = given.gate === undefined ? undefined : oneOf('gate', given.gate, gates);
  const effective: Given = gate === undefined ? given : { only: 'utensil,hand', rounds: roundsOfGate, ...given };
  const { rounds, patienceMs } = effortOf(effective);
  return {
    rounds: rounds + (quick ? 1 : 3),
    timedRounds: rounds,
    patienceMs,
    warmUp: warmUp === undefined ? undefined : wholeNumber('warm-up', warmUp, 0),
    works: tools.split(',').map((count) => ({ tools: wholeNumber('tools', count, 1), calls: quick ? 30 : 200 })),
    modes: someOf('mode', mode, modes),
    only: someOf('only', effective.only, loops()),
    gate,
  };
}

function loops(): readonly string[] {
  return [...new Set(modes.flatMap((mode) => Object.keys(variants[mode])))];
}
