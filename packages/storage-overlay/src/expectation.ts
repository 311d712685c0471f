import { foldCase, nameOf, parentOf } from '@utensil/core/files';
import type { StorageCommitResult, EntryKey, StorageExpectation } from '@utensil/core/storage';
import { entriesBelow, isCut } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { statBoth } from './view.ts';
import type { Layers } from './view.ts';

/** A failed expectation. */
export interface Unmet {
  readonly index: number;
  readonly result: StorageCommitResult;
}

/** The first expectation that fails. Case conflicts within the upper storage are left for it to find. */
export async function firstUnmet(
  layers: Layers,
  ledger: Ledger,
  expect: readonly StorageExpectation[],
): Promise<Unmet | undefined> {
  const entries = await statBoth(layers, ledger, expect);
  for (const [index, { tree, path, etag }] of expect.entries()) {
    const entry = entries[index];
    const conflict = { tree, path };
    if ((entry?.etag ?? null) !== etag) return { index, result: { ok: false, conflict, entry } };
    const twin = etag === null ? await twinOf(layers, ledger, conflict) : undefined;
    if (twin === undefined) continue;
    const [seen] = await statBoth(layers, ledger, [twin]);
    return { index, result: { ok: false, conflict, entry: seen } };
  }
}

/** Expectations that the upper storage has to check. */
export function expectedOfUpper(expect: readonly StorageExpectation[]): readonly StorageExpectation[] {
  return expect.filter(({ etag }) => etag === null);
}

/** A visible name of the lower storage that differs only in case. */
async function twinOf({ lower }: Layers, { cuts }: Ledger, { tree, path }: EntryKey): Promise<EntryKey | undefined> {
  const directory = { tree, path: parentOf(path) };
  if (isCut(cuts, directory)) return undefined;
  const folded = foldCase(nameOf(path));
  for await (const entry of entriesBelow(lower, directory, { depth: 1 })) {
    const isTwin = entry.path !== path && foldCase(nameOf(entry.path)) === folded;
    if (isTwin && !isCut(cuts, entry)) return entry;
  }
}
