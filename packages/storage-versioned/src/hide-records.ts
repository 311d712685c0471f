import { isUtensilError, UtensilError } from '@utensil/core';
import type { Commit, EntryKey, StorageDriver } from '@utensil/core';
import { isHidden, record } from './layout.ts';

/** A storage whose errors do not say where versions are kept: they name what was to be changed. */
export function hideRecords(driver: StorageDriver): StorageDriver {
  return {
    ...driver,
    stat: (keys) => hiding(keys, () => driver.stat(keys)),
    list: (query) => hiding([query], () => driver.list(query)),
    read: (key, range) => hiding([key], () => driver.read(key, range)),
    commit: (commit) => hiding(keysOf(commit), () => driver.commit(commit)),
  };
}

function keysOf({ expect, changes }: Commit): readonly EntryKey[] {
  return [...changes.flatMap((change) => (change.type === 'move' ? [change, change.to] : [change])), ...expect];
}

async function hiding<Result>(keys: readonly EntryKey[], work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isUtensilError(error) ? withoutRecordPath(error, keys) : error;
  }
}

function withoutRecordPath(error: UtensilError, keys: readonly EntryKey[]): UtensilError {
  const { code, message, path, retryable, cause } = error;
  const visible = keys.filter((key) => !isHidden(key));
  const isVisible = path === undefined || !isHidden(record(path)) || visible.some((key) => key.path === path);
  if (isVisible) return error;
  const shown = visible.find(({ tree }) => tree === 'files')?.path ?? '/';
  const said = message.replaceAll(path, () => shown);
  const details = { path: shown, retryable, ...(cause !== undefined && { cause }) };
  return said === message
    ? new UtensilError(code, `${code}: '${shown}'.`, details)
    : new UtensilError(code, said, details);
}
