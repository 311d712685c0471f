import { UtensilError } from '../base/errors.ts';
import type { LaunchOptions } from './launched-run.ts';

/** Throws if the waits of a run cannot be kept. A run inside another one waits with it. */
export function checkWaiting({ thread, questions, detached }: LaunchOptions, path: readonly string[]): void {
  const isAlone = thread === undefined && path.length === 0;
  check('questions.expireAfterMs', questions?.expireAfterMs, false);
  check('questions.parkAfterMs', questions?.parkAfterMs, isAlone);
  check('detached.parkAfterMs', detached?.parkAfterMs, isAlone);
}

function check(name: string, time: number | undefined, needsThread: boolean): void {
  if (time === undefined || (time >= 0 && !needsThread)) return;
  const rule =
    time >= 0
      ? 'needs a `thread`: without one, nobody could resume the run'
      : `must be a number from 0; got ${String(time)}`;
  throw new UtensilError('invalid_option', `\`${name}\` ${rule}.`);
}
