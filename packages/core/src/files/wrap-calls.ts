import type { StorageDriver } from './storage/driver.ts';

/** Wraps a driver: `around` makes every call except `watch`, and is given the path concerned. */
export function wrapCalls(
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
