import { UtensilError } from '../base/errors.ts';
import type { LaunchOptions } from './launched-run.ts';

/** Throws if the waits of a run cannot be kept. A run inside another one waits with it. */
export function checkWaiting({ thread, questions, detached }: LaunchOptions, path: readonly string[]): void {
  const restMs = detached?.parkAfterMs;
  if (restMs !== undefined && !(restMs >= 0))
    throw new UtensilError(
      'invalid_option',
      `\`detached.parkAfterMs\` must be a number from 0; got ${String(restMs)}.`,
    );
  if (restMs !== undefined && thread === undefined && path.length === 0)
    throw new UtensilError(
      'invalid_option',
      '`detached.parkAfterMs` needs a `thread`: without one nobody could go on waiting.',
    );
  for (const name of ['expireAfterMs', 'parkAfterMs'] as const) {
    const value = questions?.[name];
    if (value === undefined || value >= 0) continue;
    throw new UtensilError('invalid_option', `\`questions.${name}\` must be a number from 0; got ${String(value)}.`);
  }
  if (questions?.parkAfterMs === undefined || thread !== undefined || path.length > 0) return;
  const problem = '`questions.parkAfterMs` needs a `thread`: questions that nobody keeps could not be answered.';
  throw new UtensilError('invalid_option', problem);
}
