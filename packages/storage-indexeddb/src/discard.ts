import type { StorageEntry } from '@utensil/core/storage';
import { unwrap } from 'idb';
import { piecesOf } from './content.ts';
import type { Transaction } from './schema.ts';

/** Up to so many files, it costs less to discard each content than to look which of them lie next to each other. */
const fewFiles = 50;

/** More than so many times as many contents are not looked through to find those that are discarded. */
const patience = 4;

/** Takes away the contents of files. Waits for no request that writes. */
export async function discardContents(
  transaction: Transaction<'readwrite'>,
  files: readonly StorageEntry[],
): Promise<void> {
  const contents = unwrap(transaction.objectStore('contents'));
  const ranges = files.length > fewFiles ? await runsOf(transaction, files) : files.flatMap(eachPiece);
  for (const range of ranges) contents.delete(range);
}

function eachPiece(file: StorageEntry): readonly IDBKeyRange[] {
  return Array.from({ length: piecesOf(file) }, (_, piece) => IDBKeyRange.only([file.etag, piece]));
}

/** The ranges of contents that belong to these files, as few as can be found without reading for long. */
async function runsOf(transaction: Transaction, files: readonly StorageEntry[]): Promise<readonly IDBKeyRange[]> {
  const etags = files.map(({ etag }) => etag).toSorted((left, right) => (left < right ? -1 : 1));
  const gone = new Set(etags);
  const all = IDBKeyRange.bound([etags[0]], [etags.at(-1), Infinity]);
  const limit = files.length * patience;
  const keys = await transaction.objectStore('contents').getAllKeys(all, limit);
  const seen = keys.length < limit ? undefined : keys.at(-1)?.[0];
  const unseen = seen === undefined ? [] : files.filter(({ etag }) => etag >= seen);
  return [...runs(keys, ([etag]) => gone.has(etag)), ...unseen.flatMap(eachPiece)];
}

/** From the first to the last key of each run of keys that are all wanted. */
function runs<Key>(keys: readonly Key[], isWanted: (key: Key) => boolean): readonly IDBKeyRange[] {
  const ranges: IDBKeyRange[] = [];
  for (let start = 0; start < keys.length; start++) {
    if (!isWanted(keys[start] as Key)) continue;
    let end = start;
    while (end + 1 < keys.length && isWanted(keys[end + 1] as Key)) end++;
    ranges.push(IDBKeyRange.bound(keys[start], keys[end]));
    start = end;
  }
  return ranges;
}
