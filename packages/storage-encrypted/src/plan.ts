// Translation of a commit for the underlying storage. Each entry has a marker next to it: a file with one byte for each
// spelling of its name. Both are created and removed in the same commit, so that "no such name, in any spelling" can be
// expected of a storage that does not know the names.

import type { StorageChange, StorageEntry, EntryKey, StorageExpectation } from '@utensil/core/storage';
import { historyOf } from './history.ts';
import type { History, Stored } from './history.ts';
import type { Place } from './place.ts';
import { textOf } from './place.ts';

/** Stored places of the entries that a commit names, by {@link textOf}. */
export type Places = ReadonlyMap<string, Place>;

/** Input of a plan. */
export interface Draft {
  readonly changes: readonly StorageChange[];
  readonly places: Places;
  /** Entries of the underlying storage, by {@link textOf}. */
  readonly stored: ReadonlyMap<string, StorageEntry>;
}

/** State of an entry before a change. */
interface Standing {
  readonly isThere: boolean;
  readonly spellings: number;
}

/** Keys at which the storage has, before a commit, the entries that the commit names. */
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

/**
 * Changes to the underlying storage. The entry itself comes first, so that a conflict is reported at the same change as
 * without encryption.
 */
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

/**
 * Companions to write with an entry. Missing markers and long names are always rewritten, because they may be damaged.
 */
function arrival(place: Place, { isThere, spellings }: Standing): readonly StorageChange[] {
  const isMarked = isThere && spellings > 0;
  return [...(isMarked ? [] : mark(place, spellings + 1)), ...withSide(place)];
}

/** Companions to remove with an entry. */
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

/** Removing a missing file would be a conflict, so it is written first. */
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

/** A marker that claims more spellings than this is damaged. */
export const mostSpellings = 16;

/** Number of spellings that a marker claims; at least one if the marker exists. */
function spellingsIn(marker: StorageEntry | undefined): number {
  return marker?.kind === 'file' ? Math.min(Math.max(marker.size, 1), mostSpellings) : 0;
}

/** Expectations of the plan; if one fails, a new plan is needed. */
export function premises(draft: Draft, origins: readonly EntryKey[]): readonly StorageExpectation[] {
  return partsOf(draft.places, origins).map((key) => ({ ...key, etag: draft.stored.get(textOf(key))?.etag ?? null }));
}

/** Stored keys of some entries and their markers, if they have any. */
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
