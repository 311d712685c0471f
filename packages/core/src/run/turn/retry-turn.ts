import type { ModelInfo } from '../../model/model.ts';
import type { RunEffect, RunInput } from '../loop/state.ts';
import { pause, retryDelay } from './retry-wait.ts';
import type { RunContext } from '../run-context.ts';

/** The model that is asked next, and the number of the step that has failed. */
export interface NextAttempt {
  readonly model: ModelInfo;
  readonly step: number;
}

/** Reports a failed attempt at a turn, and waits until the next one is due. There is no wait before another model. */
export async function retryTurn(
  { emit, signal, environment }: Pick<RunContext, 'emit' | 'signal' | 'environment'>,
  { attempt, problem, retryAfterMs }: Extract<RunEffect, { readonly type: 'retry-turn' }>,
  { model: { api, id }, step }: NextAttempt,
): Promise<RunInput> {
  const { failed, retry } = attempt;
  const waitMs = retry === 0 ? 0 : Math.round(retryDelay(retry - 1, retryAfterMs));
  emit({ type: 'step-retry', step, attempt: failed, waitMs, error: problem, model: { api, id } });
  await pause(waitMs, signal, environment.after).catch(() => undefined); // the end of the run is told elsewhere
  return { type: 'retry-due', failed };
}
