// What a commit is in the storage below. Beside an entry stands its marker: a file with a byte for each spelling of its
// name. They are made and removed in the same commit, so that "no such name, in any spelling" can be expected of the
// storage below, which does not know the names.

import type { StorageChange, StorageEntry, EntryKey, StorageExpectation } from '@utensil/core/storage';
import { historyOf } from './history.ts';
import type { History, Stored } from './history.ts';
import type { Place } from './place.ts';
import { textOf } from './place.ts';

/** Where the entries that a commit names are stored, by {@link textOf}. */
export type Places = ReadonlyMap<string, Place>;

/** Everything that a plan is made from. */
export interface Draft {
  readonly changes: readonly StorageChange[];
  readonly places: Places;
  /** What the storage below has, by {@link textOf}. */
  readonly stored: ReadonlyMap<string, StorageEntry>;
}

/** What a change finds of an entry. */
interface Standing {
  readonly isThere: boolean;
  readonly spellings: number;
}

/** The keys as which the storage has, before a commit, what the commit names. */
export function originsOf(changes: readonly StorageChange[]): readonly EntryKey[] {
  const history = historyOf(changes);
  const origins = changes.flatMap((change, index) => keysOf(change).map((key) => history.originAt(index, key)));
  const present = origins.filter((key) => key !== undefined);
  return [...new Map(present.map((key) => [textOf(key), key])).values()];
}

/** The keys that a change names. */
export function keysOf(change: StorageChange): readonly EntryKey[] {
  return change.type === 'move' ? [change, change.to] : [change];
}

/** The changes to the storage below. The entry comes first, so that a conflict is found where it would be without us. */
export function toStoredChanges(draft: Draft): readonly StorageChange[] {
  const history = historyOf(draft.changes);
  const stored = storedOf(draft);
  return draft.changes.flatMap((change, index): readonly StorageChange[] => {
    const place = placeAt(draft.places, change);
    const main = toStoredChange(draft.places, change);
    if (place.marker === undefined) return [main];
    const before = standing(history, { index, key: change, stored });
    if (change.type === 'remove') return [main, ...departure(place, before)];
    if (change.type !== 'move') return [main, ...arrival(place, before)];
    const target = placeAt(draft.places, change.to);
    const isRespelled = target.marker !== undefined && textOf(target.marker) === textOf(place.marker);
    if (isRespelled) {
      const marked = before.spellings === 0 ? mark(place, 1) : [];
      return [main, ...marked, ...withoutSide(place), ...withSide(target)];
    }
    return [
      main,
      ...departure(place, before),
      ...arrival(target, standing(history, { index, key: change.to, stored })),
    ];
  });
}

function toStoredChange(places: Places, change: StorageChange): StorageChange {
  const { stored } = placeAt(places, change);
  return change.type === 'move'
    ? { ...change, ...stored, to: placeAt(places, change.to).stored }
    : { ...change, ...stored };
}

function standing(
  history: History,
  { index, key, stored }: { readonly index: number; readonly key: EntryKey; readonly stored: Stored },
): Standing {
  return { isThere: history.hasAt(index, key, stored), spellings: history.spellingsAt(index, key, stored) };
}

/** What comes with an entry. A marker that is missing is made again, and a long name is written again: it may be damaged. */
function arrival(place: Place, { isThere, spellings }: Standing): readonly StorageChange[] {
  const isMarked = isThere && spellings > 0;
  return [...(isMarked ? [] : mark(place, spellings + 1)), ...withSide(place)];
}

/** What goes with an entry. */
function departure(place: Place, { isThere, spellings }: Standing): readonly StorageChange[] {
  if (!isThere) return [];
  return [...(spellings === 0 ? [] : mark(place, spellings - 1)), ...withoutSide(place)];
}

function mark({ marker }: Place, spellings: number): readonly StorageChange[] {
  if (marker === undefined) return [];
  if (spellings === 0) return [{ ...marker, type: 'remove' }];
  return [{ ...marker, type: 'write', content: new Uint8Array(spellings) }];
}

function withSide({ side }: Place): readonly StorageChange[] {
  return side === undefined ? [] : [{ ...side, type: 'write' }];
}

/** It may be missing, which would be a conflict; what was just written is not. */
function withoutSide(place: Place): readonly StorageChange[] {
  return withSide(place).flatMap((change) => [change, { tree: change.tree, path: change.path, type: 'remove' }]);
}

function storedOf({ places, stored }: Draft): Stored {
  const at = (key: EntryKey | undefined): StorageEntry | undefined => key && stored.get(textOf(key));
  return {
    has: (key) => at(placeAt(places, key).stored) !== undefined,
    spellings: (key) => spellingsIn(at(placeAt(places, key).marker)),
  };
}

/** More spellings than anybody uses; a marker that says more is damaged. */
export const mostSpellings = 16;

/** How many spellings a marker says there are. One that is there stands for one at least. */
function spellingsIn(marker: StorageEntry | undefined): number {
  return marker?.kind === 'file' ? Math.min(Math.max(marker.size, 1), mostSpellings) : 0;
}

/** What the plan takes for granted: another plan is needed where it no longer holds. */
export function premises(draft: Draft, origins: readonly EntryKey[]): readonly StorageExpectation[] {
  return partsOf(draft.places, origins).map((key) => ({ ...key, etag: draft.stored.get(textOf(key))?.etag ?? null }));
}

/** Where the storage below has the entries at some keys and their markers, if it has any markers. */
export function partsOf(places: Places, keys: readonly EntryKey[]): readonly EntryKey[] {
  return keys.flatMap((key) => {
    const { stored, marker } = placeAt(places, key);
    return marker === undefined ? [] : [stored, marker];
  });
}

function placeAt(places: Places, key: EntryKey): Place {
  const place = places.get(textOf(key));
  if (place === undefined) throw new Error('A plan lacks the place of an entry.');
  return place;
}
