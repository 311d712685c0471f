import type { StorageDriver } from './storage/driver.ts';

/** True if any work is using its files. */
export interface Activity {
  /** Makes a call that counts as activity until it ends. */
  during<Result>(call: () => Promise<Result>): Promise<Result>;
  /** True if there is activity now, or was since the last time this was asked. */
  wasAny(): boolean;
}

export function createActivity(): Activity {
  let running = 0;
  let wasAny = false;
  return {
    async during(call) {
      running++;
      wasAny = true;
      try {
        return await call();
      } finally {
        running--;
      }
    },
    wasAny() {
      const any = wasAny || running > 0;
      wasAny = false;
      return any;
    },
  };
}

/** The same driver; each use counts as activity. */
export function observed(driver: StorageDriver, { during }: Activity): StorageDriver {
  return {
    ...driver,
    stat: (keys) => during(() => driver.stat(keys)),
    list: (query) => during(() => driver.list(query)),
    read: (key, range) => during(() => driver.read(key, range)),
    commit: (commit) => during(() => driver.commit(commit)),
  };
}
