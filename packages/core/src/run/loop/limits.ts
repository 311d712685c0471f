import { UtensilError } from '../../base/errors.ts';
import type { ModelInfo } from '../../model/model.ts';
import { costOf } from '../../model/price.ts';
import { noUsage } from '../../model/usage.ts';
import type { Usage } from '../../model/usage.ts';
import type { RunLimit, RunLimits } from '../../tool/run-limits.ts';
import type { RunState } from './state.ts';

/** Milliseconds for the last turn after the time is over. */
export const lastTurnMs = 30_000;

const defaultSteps = 50;

/** Retries of a turn, where `limits.retries` is absent. */
export const defaultRetries = 5;

/** Turns in a row that only repeat what was called before, until the model has to answer. */
const mostRepeatedTurns = 2;

/** The limit that a run has reached, if any. Of tokens and cost, its ledger knows. */
export function reachedLimit(state: RunState): RunLimit | undefined {
  const { limits, steps, fromStep, repeatedTurns: repeated } = state;
  if (steps - fromStep >= (limits.steps ?? defaultSteps)) return 'steps';
  return repeated >= mostRepeatedTurns ? 'repeats' : undefined;
}

/** Number of consecutive turns that only repeated calls, including this one. */
export function repeatedTurns({ turn, repeatedTurns: before }: RunState): number {
  return turn?.calls.every(({ refusal }) => refusal?.code === 'call_repeated') ? before + 1 : 0;
}

/**
 * Usage with its cost, if the vendor does not report it and the price is known. Usage with an impossible number is
 * dropped: every later sum would be wrong, and no limit would hold.
 */
export function withCost(counted: Usage, { price }: ModelInfo): Usage {
  const usage = isCountable(counted) ? counted : noUsage;
  if (price === undefined || usage.cost !== undefined) return usage;
  const cost = costOf(usage, price);
  return cost === 0 ? usage : { ...usage, cost };
}

function isCountable(usage: Usage): boolean {
  for (const name in usage) if (!isAmount(usage[name as keyof Usage])) return false; // `Object.values` would allocate
  return true;
}

function isAmount(value: number | undefined): boolean {
  return value === undefined || (value >= 0 && value <= Number.MAX_SAFE_INTEGER);
}

const sentences: Readonly<Record<RunLimit, string>> = {
  steps: 'The limit of steps is reached.',
  time: 'The time is over.',
  tokens: 'The limit of tokens is reached.',
  cost: 'The limit of cost is reached.',
  repeats: 'The same calls were made again and again.',
  'output-tokens': 'The answer was truncated at the output limit.',
  budget: 'The budget is used up.',
};

/** Tells the model that this is its last turn. `isForced`: it answers by a call. */
export function lastTurnText(limit: RunLimit, isForced: boolean): string {
  const rest = isForced ? answerText : 'Answer now with the results so far, and say what is left undone.';
  return `${sentences[limit]} No more tools can be called. ${rest}`;
}

/** Asks for the structured answer. */
export const answerText =
  'Give your final answer now, with the results so far, and with the tool that is there for it.';

/**
 * Refuses limits that mean nothing.
 *
 * @throws `invalid_limit`
 */
export function checkLimits(limits: RunLimits): void {
  for (const [name, value] of Object.entries(limits)) {
    if (typeof value === 'number' && value >= 0) continue;
    throw new UtensilError(
      'invalid_limit',
      `limits.${name} must be a number from 0 (or Infinity for none); got ${String(value)}.`,
    );
  }
}
