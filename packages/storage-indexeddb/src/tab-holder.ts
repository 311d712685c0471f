import type { Holder } from '@utensil/core';

/** What the names of tabs that hold a lock begin with. */
const prefix = 'utensil-tab-';

/**
 * This tab or worker, as a holder of claims on threads in IndexedDB: another tab goes on with a thread as soon as this one has
 * ended, however it ends. Make one for all threads of a page: it holds a lock of the browser (Web Locks) from its first claim on.
 * Without locks, as on pages that are not served securely, others wait until the claim is silent.
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

/** The name of a lock that is held until this tab ends; one that says nothing if the browser gives none. */
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
