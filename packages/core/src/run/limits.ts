import { UtensilError } from '../errors.ts';
import type { Usage } from '../model.ts';

/** When a run ends by itself. At a limit the model gets one last turn without tools, to answer from what it has. */
export interface Limits {
  /** Turns of the model. Default 50. */
  readonly steps?: number;
  /** Wall time in milliseconds. Tools that still run are cancelled; the last turn has 30 seconds. Default: none. */
  readonly timeMs?: number;
  /** Input and output tokens together. Default: none. */
  readonly tokens?: number;
  /** Milliseconds a tool may take where it says nothing itself; 0: no limit. Default 60,000. */
  readonly toolTimeMs?: number;
  /** Characters of a result's text that the model sees, where the tool says nothing itself. Default 100,000. */
  readonly toolOutput?: number;
}

/** Which limit was reached. `output-tokens` is the provider's own for one turn. */
export type Limit = 'steps' | 'time' | 'tokens' | 'output-tokens';

/** Milliseconds for the last turn after the time is over. */
export const lastTurnMs = 30_000;

const defaultSteps = 50;

/** The limit that these steps and tokens have reached, if any. */
export function reachedLimit(
  { steps = defaultSteps, tokens = Infinity }: Limits,
  done: number,
  usage: Usage,
): Limit | undefined {
  if (done >= steps) return 'steps';
  return usage.inputTokens + usage.outputTokens >= tokens ? 'tokens' : undefined;
}

const sentences: Readonly<Record<Limit, string>> = {
  steps: 'The limit of steps is reached.',
  time: 'The time is over.',
  tokens: 'The limit of tokens is reached.',
  'output-tokens': 'The answer was cut off at the output limit.',
};

/** Tells the model that this is its last turn. */
export function lastTurnText(limit: Limit): string {
  return `${sentences[limit]} No more tools can be called. Answer now from what you have, and say what is left undone.`;
}

/**
 * Refuses limits that mean nothing.
 *
 * @throws `invalid_limit`
 */
export function checkLimits(limits: Limits): void {
  for (const [name, value] of Object.entries(limits)) {
    if (typeof value === 'number' && value >= 0) continue;
    throw new UtensilError(
      'invalid_limit',
      `limits.${name} must be a number from 0 (or Infinity for none); got ${String(value)}.`,
    );
  }
}
