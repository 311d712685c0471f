import type { EntryKey, WatchOptions } from '@utensil/core/storage';
import { isOwn, keyOfCut, ownFolder, versionKey } from './ledger.ts';
import type { Layers } from './view.ts';

const everything: readonly EntryKey[] = [
  { tree: 'files', path: '/' },
  { tree: 'records', path: '/' },
];

/** Watches both storages and reports changes as paths of the overlay. */
export function watchBoth(
  { lower, upper }: Layers,
  listener: (changed: readonly EntryKey[]) => void,
  options: WatchOptions = {},
): () => void {
  const above = (keys: readonly EntryKey[]): void => {
    const told = keys.flatMap(changedBy);
    if (told.length > 0) listener(told);
  };
  const ends = [lower.watch(listener, options), upper.watch(above, options.tree === 'records' ? options : {})];
  return () => {
    for (const end of ends) end();
  };
}

/**
 * The keys that change in the overlay with a key of the upper storage. The record of a cut stands for the key it cuts
 * off.
 */
function changedBy(key: EntryKey): readonly EntryKey[] {
  if (key.tree === 'records' && (key.path === '/' || key.path === ownFolder)) return everything;
  if (!isOwn(key)) return [key];
  return key.path === versionKey.path ? [] : [keyOfCut(key.path)];
}
