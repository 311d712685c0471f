import { isUtensilError } from '@utensil/core';
import type { StorageChange, EntryKey, StorageDriver } from '@utensil/core/storage';
import { allOf, entriesBelow, nextVersion, ownFolder, versionKey } from './ledger.ts';
import type { Ledger } from './ledger.ts';

/** Removes everything from the upper storage. Returns false if another writer committed first. */
export async function clearUpper(upper: StorageDriver, ledger: Ledger, time: number): Promise<boolean> {
  const found = await Promise.all([
    allOf(entriesBelow(upper, { tree: 'records', path: ownFolder }, { depth: 1 })),
    allOf(entriesBelow(upper, { tree: 'files', path: '/' }, { depth: 1 })),
    allOf(entriesBelow(upper, { tree: 'records', path: '/' }, { depth: 1 })),
  ]);
  const removed = found.flat().filter(({ path }) => path !== ownFolder && path !== versionKey.path);
  if (removed.length === 0) return true;
  const changes = removed.map(removal);
  const expect = [{ ...versionKey, etag: ledger.etag }];
  try {
    return (await upper.commit({ expect, changes: [...changes, nextVersion(ledger, time)], time })).ok;
  } catch (error) {
    if (!isUtensilError(error, 'ENOSPC', 'EDQUOT')) throw error;
    return clearOneByOne(upper, { etag: ledger.etag, changes, time });
  }
}

function removal({ tree, path }: EntryKey): StorageChange {
  return { tree, path, type: 'remove', recursive: true };
}

/**
 * A full storage has no room for a new version, nor for the journal of a commit of several changes. So the changes are
 * committed one by one, in this order: the removal of the version, so that all others notice; the cuts, because without
 * them the lower storage becomes visible; the entries that cover it.
 */
async function clearOneByOne(
  upper: StorageDriver,
  {
    etag,
    changes,
    time,
  }: { readonly etag: string | null; readonly changes: readonly StorageChange[]; readonly time: number },
): Promise<boolean> {
  if (etag !== null) {
    const begun = await upper.commit({ expect: [{ ...versionKey, etag }], changes: [removal(versionKey)], time });
    if (!begun.ok) return false;
  }
  for (const change of changes) {
    const { ok } = await upper.commit({ expect: [{ ...versionKey, etag: null }], changes: [change], time });
    if (!ok) return false;
  }
  return true;
}
