import { defaultRetries } from './limits.ts';
import type { Draft } from './draft.ts';
import type { Attempt, RunState, TurnFailed } from './state.ts';

/**
 * Next step after a failed attempt at a turn: another attempt, with the same model while that may help, and then with
 * the next in `fallback`; false if that was the last.
 */
export function retry({ state, effects }: Draft, failed: TurnFailed): boolean {
  const attempt = nextAttempt(state, failed);
  if (attempt === undefined || state.isStopping || failed.problem.code === 'aborted') return false;
  const { problem, retryAfterMs, message = state.half } = failed;
  if (attempt.model !== state.attempt.model) state.shrink = 0; // its window is another
  state.attempt = attempt;
  state.isRetrying = true;
  state.half = message;
  effects.push({ type: 'retry-turn', attempt, problem, retryAfterMs });
  return true;
}

function nextAttempt({ attempt, models, limits }: RunState, { isPassing = false }: TurnFailed): Attempt | undefined {
  const { model, retry: retries } = attempt;
  const failed = attempt.failed + 1;
  if (isPassing && retries < (limits.retries ?? defaultRetries)) return { model, retry: retries + 1, failed };
  return model + 1 < models ? { model: model + 1, retry: 0, failed } : undefined;
}

/** True if this is the attempt that is waited for: an earlier one's time was cut short. */
export function isDue({ isRetrying, attempt }: RunState, failed: number): boolean {
  return isRetrying && attempt.failed === failed;
}

/** A turn is whole: the model that gave it is asked for the next one, too. */
export function succeeded({ state }: Draft): void {
  const { model, failed } = state.attempt;
  if (failed === 0) return;
  state.attempt = { model, retry: 0, failed: 0 };
  state.half = undefined;
}
