import type { Holder } from '@utensil/core';

/** Prefix of the lock names of tabs. */
const prefix = 'utensil-tab-';

/**
 * Creates a holder that claims threads in IndexedDB for this tab or worker. Another tab can resume a thread as soon as
 * this one has ended for any reason. Use one holder for all threads of a page: it holds a Web Lock from its first
 * claim. Without Web Locks, as on insecure pages, other tabs wait until the claim expires.
 *
 * @example
 * ```ts
 * import { createRecords, openThread } from '@utensil/core';
 * import { indexeddbStorage, tabHolder } from '@utensil/storage-indexeddb';
 *
 * const holder = tabHolder();
 * const thread = openThread(createRecords(indexeddbStorage()), 'first', { holder });
 * ```
 */
export function tabHolder(): Holder {
  const locks = (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
  let own: Promise<string> | undefined;
  return {
    id: () => (own ??= held(locks, `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`)),
    async isAlive(id) {
      if (locks === undefined || !id.startsWith(prefix)) return undefined;
      const found = await locks.query().catch(() => undefined);
      return found?.held?.some(({ name }) => name === id);
    },
  };
}

/** Name of a lock that is held until this tab ends; one without meaning if the browser has no locks. */
async function held(locks: LockManager | undefined, name: string): Promise<string> {
  const lock = prefix + name;
  return new Promise((resolve) => {
    const holding = locks?.request(lock, () => {
      resolve(lock);
      return new Promise<void>(() => undefined);
    });
    (holding ?? Promise.reject(new Error('There are no locks.'))).catch(() => resolve(name));
  });
}
