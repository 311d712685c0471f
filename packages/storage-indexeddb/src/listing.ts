import type { ListedEntry, ListQuery } from '@utensil/core/storage';
import { endBelow, listedOf, placeIn, placeOf, startBelow } from './key.ts';
import type { Transaction } from './schema.ts';

/** Batch size for the first read, and wherever some keys were too deep, to limit wasted reads. */
const carefulStride = 1024;

/** Batch size if every key is listed. */
const longStride = 10_000;

/** Lists the entries below a directory. */
export async function listBelow(
  transaction: Transaction,
  scope: string,
  query: ListQuery,
): Promise<readonly ListedEntry[]> {
  const { tree, depth, limit, after } = query;
  const entries = transaction.objectStore('entries');
  const place = placeOf(scope, query);
  const deepest = levelOf(place) + depth;
  const end = endBelow(place);
  const found: ListedEntry[] = [];
  let start = startBelow(place);
  if (after !== undefined) start = larger(start, startBelow(placeOf(scope, { tree, path: after })));
  let stride = Math.min(limit, carefulStride);
  while (start < end && found.length < limit) {
    const known = found.length;
    const keys = await entries.getAllKeys(IDBKeyRange.bound(start, end, true, true), stride);
    for (const key of keys) {
      if (levelOf(placeIn(key)) <= deepest) found.push(listedOf(scope, key));
    }
    const last = keys.at(-1);
    if (last === undefined || keys.length < stride) break;
    stride = found.length - known === keys.length ? Math.min(limit - found.length, longStride) : carefulStride;
    start = larger(last, endOfTooDeep(placeIn(last), deepest));
  }
  return found.slice(0, limit);
}

function levelOf(place: string): number {
  let level = 1;
  for (let at = place.indexOf('\0'); at !== -1; at = place.indexOf('\0', at + 1)) level++;
  return level;
}

/** End of the directory whose entries are all too deep. */
function endOfTooDeep(place: string, deepest: number): string {
  const names = place.split('\0');
  return names.length > deepest ? endBelow(names.slice(0, deepest).join('\0')) : '';
}

function larger(left: string, right: string): string {
  return left > right ? left : right;
}
