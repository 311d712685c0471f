import { type Effort, effortOf, type Given, oneOf, someOf, wholeNumber } from '../runner/options.ts';
import { type Mode, variants } from './variants/index.ts';
import type { Work } from './work.ts';

/** Thoroughness of the benchmark. */
export interface RunLoopPlan extends Effort {
  /** Rounds that measure time; later rounds count allocations. */
  readonly timedRounds: number;
  readonly works: readonly Work[];
  /** Total calls of the warm-up runs, each at most as long as the measured run. Default: as many as are measured; 48,000 if ratios are compared. */
  readonly warmUp: number | undefined;
  readonly modes: readonly Mode[];
  /** Names of the variants to run. */
  readonly only: readonly string[];
  /** Reaction to grown ratios. Default: none. */
  readonly gate: Gate | undefined;
}

export type Gate = (typeof gates)[number];

const gates = ['fail', 'print'] as const;

/** Enough rounds for a stable median of their ratios, and enough warm-up runs that one is free of compilation. */
const ofGate: Given = { only: 'utensil,hand', rounds: '15', 'warm-up': '48000' };

const modes = Object.keys(variants) as readonly Mode[];

/** Throws if an option has an invalid value. */
export function runLoopPlan(given: Given): RunLoopPlan {
  const { quick, mode, tools = '1,100,1000' } = given;
  const gate = given.gate === undefined ? undefined : oneOf('gate', given.gate, gates);
  const effective: Given = gate === undefined ? given : { ...ofGate, ...given };
  const { 'warm-up': warmUp } = effective;
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
