import { isUtensilError } from '@utensil/core';
import type { StorageChange, StorageDriver } from '@utensil/core/storage';

/** True if a storage refused something because it is full. */
export function isFull(error: unknown): boolean {
  return isUtensilError(error, 'ENOSPC', 'EDQUOT');
}

/**
 * Commits changes that make room, in one commit; or one after the other up to the first that meets a conflict, if the
 * storage has no room to write down that they belong together. Gives how many were made.
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

/** What needs room is left out, unless nothing at all could be done. */
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
