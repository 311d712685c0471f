/** A lock held by one tab at a time. */
export interface TabLock {
  /** Runs work once no other tab holds the lock. If the signal fires first, rejects without running it. */
  hold(work: () => Promise<void>, signal: AbortSignal): Promise<void>;
  isHeld(): Promise<boolean>;
  /** Resolves once no tab holds it. */
  released(): Promise<void>;
}

/**
 * Creates a named lock: the browser's, which is released with its tab; on pages without a secure context, one in the
 * storage.
 */
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
    released: () => locks.request(name, { mode: 'shared' }, () => {}), // shared mode: waiters do not block each other
  };
}

/** Milliseconds until an unrenewed claim expires: timers of a background tab may fire only once a minute. */
const lifetime = 90_000;
const renewal = 5_000;
const pause = 100;

/** A lock in the shared storage: the latest claim, which expires if its tab crashes. */
export function storedLock(
  name: string,
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = localStorage,
): TabLock {
  const me = `${Date.now()}-${Math.random()}`; // pages without locks lack crypto.randomUUID, too

  function holder(): string | undefined {
    const [owner, until] = storage.getItem(name)?.split(' ') ?? [];
    return Number(until) > Date.now() ? owner : undefined;
  }

  const claim = (): void => storage.setItem(name, `${me} ${Date.now() + lifetime}`);

  /** If two tabs claim it at the same time, the last writer wins. */
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
