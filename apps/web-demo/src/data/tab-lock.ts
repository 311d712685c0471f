/** A lock that one tab at a time holds. */
export interface TabLock {
  /** Does some work as soon as no other tab holds the lock. Rejects, and nothing is done, if the signal fires before. */
  hold(work: () => Promise<void>, signal: AbortSignal): Promise<void>;
  isHeld(): Promise<boolean>;
  /** Resolves as soon as no tab holds it. */
  released(): Promise<void>;
}

/** The lock of a name: of the browser, which releases it with its tab; of the storage on pages that are not served securely. */
export function tabLock(name: string): TabLock {
  const locks = navigator.locks as LockManager | undefined;
  return locks === undefined ? storedLock(name) : browserLock(locks, name);
}

function browserLock(locks: LockManager, name: string): TabLock {
  return {
    hold: (work, signal) => locks.request(name, { signal }, work),
    async isHeld() {
      const { held = [] } = await locks.query();
      return held.some((lock) => lock.name === name && lock.mode === 'exclusive');
    },
    released: () => locks.request(name, { mode: 'shared' }, () => {}), // shared: those who wait are in nobody's way
  };
}

/** Milliseconds that a claim counts unless it is renewed: timers of a tab in the background may fire only once a minute. */
const lifetime = 90_000;
const renewal = 5_000;
const pause = 100;

/** A lock in the storage that all tabs share: the latest claim to it, which expires if its tab crashes. */
export function storedLock(
  name: string,
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = localStorage,
): TabLock {
  const me = `${Date.now()}-${Math.random()}`; // pages without locks have no crypto.randomUUID either

  function holder(): string | undefined {
    const [owner, until] = storage.getItem(name)?.split(' ') ?? [];
    return Number(until) > Date.now() ? owner : undefined;
  }

  const claim = (): void => storage.setItem(name, `${me} ${Date.now() + lifetime}`);

  /** Of two tabs that claim it at once, the one that wrote last has it. */
  async function claimed(): Promise<boolean> {
    if (holder() !== undefined) return false;
    claim();
    await passed();
    return holder() === me;
  }

  return {
    async hold(work, signal) {
      while (!(await claimed())) {
        await passed();
        signal.throwIfAborted();
      }
      const timer = setInterval(claim, renewal);
      try {
        await work();
      } finally {
        clearInterval(timer);
        storage.removeItem(name);
      }
    },
    isHeld: async () => holder() !== undefined,
    async released() {
      while (holder() !== undefined) await passed();
    },
  };
}

function passed(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pause));
}
