import { tabLock } from './tab-lock.ts';
import type { TabLock } from './tab-lock.ts';

/** Lets one tab at a time answer in a conversation. */
export interface ConversationLock {
  /**
   * Runs work while no other tab answers, and returns its result. Undefined, without running it, if another tab
   * answers. The signal fires when the browser suspends the page: from then on another tab may answer.
   */
  alone<Value>(work: (suspended: AbortSignal) => Promise<Value>): Promise<Value | undefined>;
  /** False if the browser cannot tell. */
  isTaken(): Promise<boolean>;
  /** Resolves when the answering tab is done, closed, suspended or crashed. */
  over(): Promise<void>;
}

/** Milliseconds to wait for a tab that is about to release the lock. */
const grace = 2_000;

/** Creates the lock of a named conversation. */
export function conversationLock(
  conversation: string,
  lock: TabLock = tabLock(`utensil-web-demo/${conversation}`),
): ConversationLock {
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
      addEventListener('pagehide', suspend); // the page may be kept in the back/forward cache
      try {
        await lock.hold(untilSuspended, AbortSignal.timeout(grace));
      } catch {
        // another tab kept the lock
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
