import { keysAt, placeIn, startBelow } from './key.ts';

/** From this many places in one directory, reading everything between them costs less. */
const manySiblings = 8;

/** Maximum number of keys to read per wanted key. */
const maxScanRatio = 4;

/** A store whose keys begin with places. */
interface Store {
  getAllKeys(range: IDBKeyRange, limit?: number): Promise<readonly string[]>;
}

/** Looks up the keys at places, with parallel requests and one range per group of neighbors. */
export async function lookUp(store: Store, places: Iterable<string>): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await Promise.all(siblingsAmong(places).map((siblings) => lookUpSiblings(store, siblings)));
  return new Map(found.flat());
}

type Found = readonly [place: string, keys: readonly string[]];

function siblingsAmong(places: Iterable<string>): readonly (readonly string[])[] {
  const directories = new Map<string, string[]>();
  for (const place of new Set(places)) {
    const directory = place.slice(0, place.lastIndexOf('\0'));
    const siblings = directories.get(directory);
    if (siblings === undefined) directories.set(directory, [place]);
    else siblings.push(place);
  }
  return [...directories.values()];
}

async function lookUpSiblings(store: Store, places: readonly string[]): Promise<readonly Found[]> {
  if (places.length < manySiblings) return Promise.all(places.map((place) => lookUpOne(store, place)));
  const sorted = places.toSorted((left, right) => (left < right ? -1 : 1));
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
  const limit = sorted.length * maxScanRatio;
  const keys = await store.getAllKeys(IDBKeyRange.bound(`${first}\0\0`, startBelow(last), false, true), limit);
  const end = keys.length < limit ? startBelow(last) : (keys.at(-1) ?? '');
  const found = new Map<string, string[]>(sorted.map((place) => [place, []]));
  for (const key of keys) found.get(placeIn(key))?.push(key);
  const unseen = sorted.filter((place) => startBelow(place) > end);
  return [...found, ...(await Promise.all(unseen.map((place) => lookUpOne(store, place))))];
}

async function lookUpOne(store: Store, place: string): Promise<Found> {
  return [place, await store.getAllKeys(keysAt(place))];
}
