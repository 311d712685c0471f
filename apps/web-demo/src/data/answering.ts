/** Lets one tab at a time answer in a conversation. */
export interface Answering {
  /** Result of the work, done while no other tab answers. Undefined, and nothing done, if another one does. */
  alone<Value>(work: () => Promise<Value>): Promise<Value | undefined>;
  isTaken(): Promise<boolean>;
  /** Resolves when the tab that answers is done, closed or crashed. */
  over(): Promise<void>;
}

/** Milliseconds to wait for a tab that is about to let go. */
const grace = 2_000;

/** Answering in the conversation of a name, guarded by a lock that the browser releases with its tab. */
export function answeringIn(conversation: string): Answering {
  const name = `utensil-web-demo/${conversation}`;
  const locks = navigator.locks as LockManager | undefined; // absent on pages that are not served securely
  if (locks === undefined) {
    return { alone: (work) => work(), isTaken: async () => false, over: async () => {} };
  }
  return {
    async alone(work) {
      let hasBegun = false;
      try {
        return await locks.request(name, { signal: AbortSignal.timeout(grace) }, () => {
          hasBegun = true;
          return work();
        });
      } catch (error) {
        if (hasBegun) throw error;
        return undefined;
      }
    },
    async isTaken() {
      const { held = [] } = await locks.query();
      return held.some((lock) => lock.name === name && lock.mode === 'exclusive');
    },
    over: () => locks.request(name, { mode: 'shared' }, () => {}), // shared: those who wait are in nobody's way
  };
}
