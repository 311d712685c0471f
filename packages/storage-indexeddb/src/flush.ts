import { nameOf } from '@utensil/core/files';
import type { EntryKey } from '@utensil/core/storage';
import { unwrap } from 'idb';
import { toPieces } from './content.ts';
import { discardContents } from './discard.ts';
import { isSpelled } from './draft.ts';
import type { Difference } from './draft.ts';
import { foldedPlaceOf, keyOf, keysBelow } from './key.ts';
import type { Transaction } from './schema.ts';

/** Writes the difference. Waits for no request: a failed one aborts the transaction, which reports the error. */
export async function flush(
  transaction: Transaction<'readwrite'>,
  scope: string,
  { gone, come, cleared, written }: Difference,
): Promise<void> {
  const [entries, spellings, contents] = (['entries', 'spellings', 'contents'] as const).map((name) =>
    unwrap(transaction.objectStore(name)),
  ) as [IDBObjectStore, IDBObjectStore, IDBObjectStore];

  function replace(store: IDBObjectStore, before: Iterable<string>, after: Iterable<string>): void {
    const wasThere = new Set<string>();
    const staying = new Set(after);
    for (const key of before) {
      if (isCleared(key)) continue;
      wasThere.add(key);
      if (!staying.has(key)) store.delete(key);
    }
    for (const key of staying) if (!wasThere.has(key)) store.put(0, key);
  }

  const isCleared = (key: string): boolean =>
    cleared.some((place) => key.startsWith(`${place}\0`) && key.at(place.length + 1) !== '\0');

  for (const place of cleared) for (const store of [entries, spellings]) store.delete(keysBelow(place));
  replace(
    entries,
    gone.map((entry) => keyOf(scope, entry)),
    come.map((entry) => keyOf(scope, entry)),
  );
  replace(spellings, spellingsOf(scope, gone), spellingsOf(scope, come));
  const kept = new Set(come.map(({ etag }) => etag));
  for (const [etag, content] of written) {
    let index = 0;
    if (kept.has(etag)) for (const piece of toPieces(content)) contents.put(piece, [etag, index++]);
  }
  await discardContents(
    transaction,
    gone.filter(({ kind, etag }) => kind === 'file' && !kept.has(etag)),
  );
}

/** The keys in the store `spellings`, for keys that have one. */
function spellingsOf(scope: string, keys: readonly EntryKey[]): readonly string[] {
  return keys.filter(isSpelled).map((key) => `${foldedPlaceOf(scope, key)}\0\0${nameOf(key.path)}`);
}
