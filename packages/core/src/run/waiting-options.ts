import { UtensilError } from '../base/errors.ts';
import type { LaunchOptions } from './launched-run.ts';

/** Throws if the waits of a run cannot be kept. A run inside another one waits with it. */
export function checkWaiting({ thread, questions, detached }: LaunchOptions, path: readonly string[]): void {
  const times = {
    'questions.expireAfterMs': questions?.expireAfterMs,
    'questions.parkAfterMs': questions?.parkAfterMs,
    'detached.parkAfterMs': detached?.parkAfterMs,
  };
  for (const [name, time] of Object.entries(times)) {
    if (time === undefined) continue;
    const needsThread = name.endsWith('parkAfterMs') && thread === undefined && path.length === 0;
    if (time >= 0 && !needsThread) continue;
    const rule = needsThread
      ? 'needs a `thread`: nobody could go on waiting without one'
      : `must be a number from 0; got ${String(time)}`;
    throw new UtensilError('invalid_option', `\`${name}\` ${rule}.`);
  }
}
