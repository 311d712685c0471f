import type { Environment } from '../base/environment.ts';
import { changePauses, startTimer } from '../base/pauses.ts';
import type { Pauses } from '../base/pauses.ts';
import type { RunLimits } from '../tool/run-limits.ts';
import { lastTurnMs } from './loop/limits.ts';

/** Time limit of a run. It stands still while people are waited for. */
export interface RunClock {
  /** `over`: the time is up. `atLast`: so is that of the last turn. */
  start(events: { over(): void; atLast(): void }): void;
  /** Adds or removes a reason to stand still. */
  pause(by: 1 | -1): void;
  stop(): void;
}

export function createRunClock({ timeMs = Infinity }: RunLimits, { after }: Environment): RunClock {
  const pauses: Pauses = {};
  const timers: (() => void)[] = [];
  return {
    start({ over, atLast }) {
      timers.push(
        startTimer(pauses, { ms: timeMs, over, after }),
        startTimer(pauses, { ms: timeMs + lastTurnMs, over: atLast, after }),
      );
    },
    pause: (by) => changePauses(pauses, by),
    stop() {
      for (const stop of timers) stop();
    },
  };
}
