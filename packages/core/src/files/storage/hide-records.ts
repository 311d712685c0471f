import { isUtensilError, UtensilError } from '../../base/errors.ts';
import type { StorageCommit, EntryKey, StorageDriver } from './driver.ts';

/** True for the key of a wrapper's private record. */
type IsOwn = (key: EntryKey) => boolean;

/** Wraps a storage so that its errors name the key of the requested change, never a wrapper's private record. */
export function hideRecords(driver: StorageDriver, isOwn: IsOwn): StorageDriver {
  const hiding = async <Result>(keys: readonly EntryKey[], work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw isUtensilError(error) ? withoutRecordPath(error, keys, isOwn) : error;
    }
  };
  return {
    stat: (keys) => hiding(keys, () => driver.stat(keys)),
    list: (query) => hiding([query], () => driver.list(query)),
    read: (key, range) => hiding([key], () => driver.read(key, range)),
    commit: (commit) => hiding(keysOf(commit), () => driver.commit(commit)),
    watch: (listener) => driver.watch(listener),
    close: () => driver.close(),
  };
}

function keysOf({ expect, changes }: StorageCommit): readonly EntryKey[] {
  return [...changes.flatMap((change) => (change.type === 'move' ? [change, change.to] : [change])), ...expect];
}

function withoutRecordPath(error: UtensilError, keys: readonly EntryKey[], isOwn: IsOwn): UtensilError {
  const { code, message, path, retryable, cause } = error;
  const visible = keys.filter((key) => !isOwn(key));
  const isVisible = path === undefined || !isOwn({ tree: 'records', path }) || visible.some((key) => key.path === path);
  if (isVisible) return error;
  const shown = visible.find(({ tree }) => tree === 'files')?.path ?? '/';
  const said = message.replaceAll(path, () => shown);
  const details = { path: shown, retryable, ...(cause !== undefined && { cause }) };
  return said === message
    ? new UtensilError(code, `${code}: '${shown}'.`, details)
    : new UtensilError(code, said, details);
}
