import type { StorageDriver } from './storage/driver.ts';

/** The same driver. A function makes each of its calls, and gets the path that the call is about. */
export function aroundCalls(
  driver: StorageDriver,
  around: <Result>(call: () => Promise<Result>, path: string) => Promise<Result>,
): StorageDriver {
  return {
    stat: (keys) => around(() => driver.stat(keys), keys.at(-1)?.path ?? '/'),
    list: (query) => around(() => driver.list(query), query.path),
    read: (key, range) => around(() => driver.read(key, range), key.path),
    commit: (commit) => around(() => driver.commit(commit), commit.changes.at(-1)?.path ?? '/'),
    watch: (listener, options) => driver.watch(listener, options),
    close: () => around(() => driver.close(), '/'),
  };
}
