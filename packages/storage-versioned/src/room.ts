import { isUtensilError } from '@utensil/core';
import type { StorageChange, StorageDriver } from '@utensil/core/storage';

/** True if a storage reports that it is full. */
export function isFull(error: unknown): boolean {
  return isUtensilError(error, 'ENOSPC', 'EDQUOT');
}

/**
 * Commits changes that free space, in one commit. If there is no room for its journal, commits them one by one until a
 * conflict. Returns the number of changes made.
 */
export async function commitFreeing(
  driver: StorageDriver,
  changes: readonly StorageChange[],
  time: number,
): Promise<number> {
  try {
    const { ok } = await driver.commit({ expect: [], changes, time });
    return ok ? changes.length : 0;
  } catch (error) {
    if (!isFull(error) || changes.length < 2) throw error;
    return commitOneByOne(driver, changes, time);
  }
}

/** Skips changes that need space; throws only if none could be made. */
async function commitOneByOne(driver: StorageDriver, changes: readonly StorageChange[], time: number): Promise<number> {
  let made = 0;
  let refused: unknown;
  for (const change of changes) {
    try {
      const { ok } = await driver.commit({ expect: [], changes: [change], time });
      if (!ok) break;
      made++;
    } catch (error) {
      if (!isFull(error)) throw error;
      refused = error;
    }
  }
  if (made === 0 && refused !== undefined) throw refused;
  return made;
}
