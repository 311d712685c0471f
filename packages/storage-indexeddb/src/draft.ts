import { foldCase, nameOf } from '@utensil/core/files';
import type { StorageEntry, EntryKey } from '@utensil/core/storage';
import { entryOf, foldedPlaceOf, keysBelow, placeIn, placeOf, rootOf } from './key.ts';
import { lookUp } from './look-up.ts';
import type { Transaction } from './schema.ts';

/**
 * In-memory state of the entries in a transaction. Commits are applied here, without waiting, and a conflicting one is
 * rolled back; then the difference is written.
 */
export interface Draft {
  /** The entry at a key, if it was loaded. */
  find(key: EntryKey): StorageEntry | undefined;
  /** An entry whose name differs only in case, if it was loaded. */
  findTwin(key: EntryKey): StorageEntry | undefined;
  hasEntriesBelow(key: EntryKey): Promise<boolean>;
  /** Loads all entries below a directory. */
  loadBelow(key: EntryKey): Promise<readonly StorageEntry[]>;
  put(entry: StorageEntry, content?: Uint8Array): void;
  take(key: EntryKey): void;
  /** Marks everything below a directory as removed. */
  clearBelow(key: EntryKey): void;
  /** Saves the current state. Returns a function that rolls back to it. */
  mark(): () => void;
  difference(): Difference;
}

/** The changes of a transaction. */
export interface Difference {
  /** Files and directories that were removed or replaced. */
  readonly gone: readonly StorageEntry[];
  readonly come: readonly StorageEntry[];
  /** Places to clear before anything is written. */
  readonly cleared: readonly string[];
  /** Written contents, by etag. */
  readonly written: ReadonlyMap<string, Uint8Array>;
}

/** Entries that some commits need. */
export interface Wanted {
  readonly keys: readonly EntryKey[];
  /** Keys that should be free, including names that differ only in case. */
  readonly free: readonly EntryKey[];
}

/** Loads all entries that are needed, in parallel requests. */
export async function loadDraft(transaction: Transaction, scope: string, wanted: Wanted): Promise<Draft> {
  const entries = transaction.objectStore('entries');
  const spellings = transaction.objectStore('spellings');
  const before = new Map<string, StorageEntry | undefined>();
  const after = new Map<string, StorageEntry | undefined>();
  const written = new Map<string, Uint8Array>();
  const cleared: string[] = [];
  /** Places of names that are equal if folded, by their folded form. */
  const spelled = new Map<string, Set<string>>();
  let undo: (() => void)[] = [];

  async function load(places: Iterable<string>): Promise<void> {
    for (const [place, [key]] of await lookUp(entries, places)) {
      before.set(place, key === undefined ? undefined : entryOf(scope, key));
    }
  }

  /** Loads the places of names with the same folded forms. */
  async function loadTwins(keys: readonly EntryKey[]): Promise<readonly string[]> {
    const found = await lookUp(spellings, new Set(keys.map((key) => foldedPlaceOf(scope, key))));
    return [...found].flatMap(([folded, spelt]) => {
      const directory = folded.slice(0, folded.lastIndexOf('\0'));
      const places = spelt.map((key) => `${directory}\0${key.slice(folded.length + 2)}`);
      spelled.set(folded, new Set(places));
      return places;
    });
  }

  function note(key: EntryKey): void {
    const folded = foldedPlaceOf(scope, key);
    const places = spelled.get(folded) ?? new Set();
    spelled.set(folded, places.add(placeOf(scope, key)));
  }

  function at(place: string): StorageEntry | undefined {
    return after.has(place) ? after.get(place) : before.get(place);
  }

  function set(place: string, entry: StorageEntry | undefined): void {
    const [wasSet, previous] = [after.has(place), after.get(place)];
    undo.push(() => (wasSet ? after.set(place, previous) : after.delete(place)));
    after.set(place, entry);
  }

  const isBelow = (place: string, above: string): boolean => place.startsWith(`${above}\0`);

  const places = new Set(wanted.keys.map((key) => placeOf(scope, key)));
  for (const key of wanted.free) places.add(foldedPlaceOf(scope, key));
  const [twins] = await Promise.all([loadTwins(wanted.free), load(places)]);
  if (twins.length > 0) await load(twins);

  return {
    find: (key) => (key.path === '/' ? rootOf(key.tree) : at(placeOf(scope, key))),
    findTwin(key) {
      const [place, folded] = [placeOf(scope, key), foldedPlaceOf(scope, key)];
      const twins = [folded, ...(spelled.get(folded) ?? [])].filter((each) => each !== place);
      return twins.map(at).find((entry) => entry !== undefined);
    },
    async hasEntriesBelow(key) {
      const place = placeOf(scope, key);
      const changed = [...after].filter(([each]) => isBelow(each, place));
      if (changed.some(([, entry]) => entry !== undefined)) return true;
      const found = await entries.getAllKeys(keysBelow(place), changed.length + 1);
      return found.some((each) => !after.has(placeIn(each)));
    },
    async loadBelow(key) {
      const place = placeOf(scope, key);
      const found = await entries.getAllKeys(keysBelow(place));
      const stored = found.map((each) => [placeIn(each), entryOf(scope, each)] as const);
      for (const [each, entry] of stored) before.set(each, entry);
      const unchanged = stored.flatMap(([each, entry]) => (after.has(each) ? [] : [entry]));
      const changed = [...after].flatMap(([each, entry]) => (isBelow(each, place) ? (entry ?? []) : []));
      return [...unchanged, ...changed];
    },
    put(entry, content) {
      set(placeOf(scope, entry), entry);
      if (isSpelled(entry)) note(entry);
      if (content !== undefined) written.set(entry.etag, content);
    },
    take: (key) => set(placeOf(scope, key), undefined),
    clearBelow(key) {
      cleared.push(placeOf(scope, key));
      undo.push(() => cleared.pop());
    },
    mark() {
      undo = [];
      const steps = undo;
      return () => {
        for (const step of steps.toReversed()) step();
      };
    },
    difference() {
      const gone = [...after.keys()].flatMap((place) => before.get(place) ?? []);
      const come = [...after.values()].filter((entry) => entry !== undefined);
      return { gone, come, cleared, written };
    },
  };
}

/** True if folding changes a name. */
export function isSpelled({ path }: EntryKey): boolean {
  const name = nameOf(path);
  return foldCase(name) !== name;
}
