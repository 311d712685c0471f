import type { StorageEntry, EntryKey } from '@utensil/core/storage';
import type { Connection } from './connection.ts';
import { entryOf, placeOf, rootOf } from './key.ts';
import { lookUp } from './look-up.ts';

export type Stat = (keys: readonly EntryKey[]) => Promise<readonly (StorageEntry | undefined)[]>;

/** Lookups requested together share one transaction, which is most of their cost. */
export function createStat(connection: Connection, scope: string): Stat {
  let asking: Promise<(place: string) => StorageEntry | undefined> | undefined;
  let places = new Set<string>();

  async function ask(): Promise<(place: string) => StorageEntry | undefined> {
    await Promise.resolve(); // lets the caller issue all calls of this turn
    const wanted = places;
    places = new Set();
    asking = undefined;
    const found = await connection.use('readonly', (transaction) => lookUp(transaction.objectStore('entries'), wanted));
    return (place) => {
      const [key] = found.get(place) ?? [];
      return key === undefined ? undefined : entryOf(scope, key);
    };
  }

  return async (keys) => {
    for (const key of keys) if (key.path !== '/') places.add(placeOf(scope, key));
    const at = await (asking ??= ask());
    return keys.map((key) => (key.path === '/' ? rootOf(key.tree) : at(placeOf(scope, key))));
  };
}
