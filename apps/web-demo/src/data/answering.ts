import { tabLock } from './tab-lock.ts';
import type { TabLock } from './tab-lock.ts';

/** Lets one tab at a time answer in a conversation. */
export interface Answering {
  /**
   * Result of the work, done while no other tab answers. Undefined, and nothing done, if another one does. The signal fires
   * when the browser suspends the page: from then on another tab may answer.
   */
  alone<Value>(work: (suspended: AbortSignal) => Promise<Value>): Promise<Value | undefined>;
  /** False if the browser cannot tell. */
  isTaken(): Promise<boolean>;
  /** Resolves when the tab that answers is done, closed, suspended or crashed. */
  over(): Promise<void>;
}

/** Milliseconds to wait for a tab that is about to let go. */
const grace = 2_000;

/** Answering in the conversation of a name. */
export function answeringIn(
  conversation: string,
  lock: TabLock = tabLock(`utensil-web-demo/${conversation}`),
): Answering {
  return {
    async alone(work) {
      const suspension = new AbortController();
      const suspend = (): void => suspension.abort();
      let working: ReturnType<typeof work> | undefined;
      const untilSuspended = async (): Promise<void> => {
        working = work(suspension.signal);
        await Promise.race([working.catch(() => undefined), aborted(suspension.signal)]);
      };
      document.addEventListener('freeze', suspend);
      addEventListener('pagehide', suspend); // it may be kept for the way back
      try {
        await lock.hold(untilSuspended, AbortSignal.timeout(grace));
      } catch {
        // another tab did not let go
      }
      const result = await working;
      document.removeEventListener('freeze', suspend);
      removeEventListener('pagehide', suspend);
      return result;
    },
    isTaken: () => lock.isHeld().catch(() => false),
    over: () => lock.released(),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
