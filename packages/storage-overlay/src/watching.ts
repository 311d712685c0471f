import type { EntryKey, WatchOptions } from '@utensil/core/storage';
import { isOwn, keyOfCut, ownFolder, versionKey } from './ledger.ts';
import type { Layers } from './view.ts';

const everything: readonly EntryKey[] = [
  { tree: 'files', path: '/' },
  { tree: 'records', path: '/' },
];

/** Tells of changes to both storages, in the words of the overlay, which keeps what it cuts off among its own records. */
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

/** What a change of the upper storage changes in the overlay: where it is a record of a cut, what that cuts off. */
function changedBy(key: EntryKey): readonly EntryKey[] {
  if (key.tree === 'records' && (key.path === '/' || key.path === ownFolder)) return everything;
  if (!isOwn(key)) return [key];
  return key.path === versionKey.path ? [] : [keyOfCut(key.path)];
}
