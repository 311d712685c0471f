import { longestTimer } from './environment.ts';
import type { Environment } from './environment.ts';

/** State of a clock that stands still while people are waited for. An empty object is a running clock. */
export interface Pauses {
  /** Number of reasons to stand still. */
  count?: number;
  timers?: Set<Timer>;
}

interface Timer {
  pause(): void;
  goOn(): void;
}

/** A timer to start. */
interface TimerOptions {
  readonly ms: number;
  over(): void;
  /** Default: the platform's timers. */
  readonly after?: Environment['after'] | undefined;
}

/**
 * Calls back after a delay in milliseconds, not counting pauses; never if the delay exceeds what timers support.
 * Returns a function that stops it.
 */
export function startTimer(pauses: Pauses, { ms, over, after = afterTimeout }: TimerOptions): () => void {
  if (ms > longestTimer) return () => undefined;
  let left = ms;
  let since = 0;
  let cancel: (() => void) | undefined;
  const timer: Timer = {
    pause() {
      if (cancel === undefined) return;
      cancel();
      cancel = undefined;
      left -= performance.now() - since;
    },
    goOn() {
      if (cancel !== undefined) return;
      since = performance.now();
      cancel = after(Math.max(0, left), () => {
        pauses.timers?.delete(timer);
        over();
      });
    },
  };
  (pauses.timers ??= new Set()).add(timer);
  if ((pauses.count ?? 0) === 0) timer.goOn();
  return () => {
    pauses.timers?.delete(timer);
    cancel?.();
  };
}

/** Adds or removes a reason to stand still. */
export function changePauses(pauses: Pauses, by: 1 | -1): void {
  pauses.count = Math.max(0, (pauses.count ?? 0) + by);
  for (const timer of pauses.timers ?? []) {
    if (pauses.count > 0) timer.pause();
    else timer.goOn();
  }
}

/** The platform's timers. A `background` timer does not keep the process alive. */
export function afterTimeout(ms: number, then: () => void, { background = false } = {}): () => void {
  const timer: unknown = setTimeout(then, ms);
  if (background) (timer as { unref?(): void }).unref?.(); // only Node.js has it: elsewhere timers are numbers
  return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
}
