import type { StorageEntry } from '@utensil/core/storage';
import { unwrap } from 'idb';
import { piecesOf } from './content.ts';
import type { Transaction } from './schema.ts';

/** Up to this many files, deleting each content separately costs less than finding adjacent ones. */
const fewFiles = 50;

/** Maximum number of contents to scan for each one to delete. */
const maxScanRatio = 4;

/** Deletes the contents of files. Does not wait for the write requests. */
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

/** Key ranges that cover the contents of these files, as few as a short scan can find. */
async function runsOf(transaction: Transaction, files: readonly StorageEntry[]): Promise<readonly IDBKeyRange[]> {
  const etags = files.map(({ etag }) => etag).toSorted((left, right) => (left < right ? -1 : 1));
  const gone = new Set(etags);
  const all = IDBKeyRange.bound([etags[0]], [etags.at(-1), Infinity]);
  const limit = files.length * maxScanRatio;
  const keys = await transaction.objectStore('contents').getAllKeys(all, limit);
  const seen = keys.length < limit ? undefined : keys.at(-1)?.[0];
  const unseen = seen === undefined ? [] : files.filter(({ etag }) => etag >= seen);
  return [...runs(keys, ([etag]) => gone.has(etag)), ...unseen.flatMap(eachPiece)];
}

/** First and last keys of each run of consecutive wanted keys. */
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
