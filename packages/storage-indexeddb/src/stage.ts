import { foldCase, joinPath, nameOf, parentOf } from '@utensil/core';
import type { Entry, EntryKey } from '@utensil/core';
import { piecesOf } from './content.ts';
import { entryOf, foldedPlaceOf, keyOf, keysAt, keysBelow, placeOf, rootOf } from './key.ts';
import type { Transaction } from './schema.ts';

/**
 * A transaction in which changes are made before it is known whether they may be: its requests are answered in their
 * order, so a look sees all that was put before it and nothing that comes after. Nothing waits for an answer, and where
 * one says that something was in the way, the transaction is aborted.
 */
export interface Stage {
  /** The entry at a key, as of now. */
  find(key: EntryKey): Promise<Entry | undefined>;
  /** A name that differs from this one only in case. */
  findTwin(key: EntryKey): Promise<EntryKey | undefined>;
  hasEntriesBelow(key: EntryKey): Promise<boolean>;
  put(entry: Entry, pieces?: readonly Uint8Array[]): void;
  /** Takes away what is at a key, whatever it is, but for its content. */
  take(key: EntryKey): void;
  /** Takes away the key of a file over which another was put. */
  takeReplaced(entry: Entry): void;
  discardContent(entry: Entry): void;
  /** Moves all that is below a directory. */
  moveBelow(key: EntryKey, to: EntryKey): Promise<void>;
  /** Why the first request failed whose answer nobody waits for. */
  failure(): unknown;
}

export function createStage(transaction: Transaction<'readwrite'>, scope: string): Stage {
  const entries = transaction.objectStore('entries');
  const spellings = transaction.objectStore('spellings');
  const contents = transaction.objectStore('contents');
  const known = new Map<string, Promise<Entry | undefined>>();
  let failure: unknown;

  function send(request: Promise<unknown>): void {
    request.catch((error: unknown) => (failure ??= error));
  }

  async function ask(place: string): Promise<Entry | undefined> {
    const key = await entries.getKey(keysAt(place));
    return key === undefined ? undefined : entryOf(scope, key);
  }

  function look(place: string): Promise<Entry | undefined> {
    const found = known.get(place) ?? ask(place);
    known.set(place, found);
    return found;
  }

  return {
    find: (key) => (key.path === '/' ? Promise.resolve(rootOf(key.tree)) : look(placeOf(scope, key))),
    async findTwin(key) {
      const folded = foldedPlaceOf(scope, key);
      const [plain, spelling] = await Promise.all([look(folded), spellings.getKey(keysAt(folded))]);
      if (spelling === undefined) return plain;
      return { tree: key.tree, path: joinPath(parentOf(key.path), spelling.slice(folded.length + 2)) };
    },
    hasEntriesBelow: async (key) => (await entries.getKey(keysBelow(placeOf(scope, key)))) !== undefined,
    put(entry, pieces = []) {
      known.set(placeOf(scope, entry), Promise.resolve(entry));
      send(entries.put(0, keyOf(scope, entry)));
      for (const spelling of spellingsOf(scope, entry)) send(spellings.put(0, spelling));
      for (const [index, piece] of pieces.entries()) send(contents.put(piece, [entry.etag, index]));
    },
    take(key) {
      const place = placeOf(scope, key);
      known.set(place, Promise.resolve(undefined));
      send(entries.delete(keysAt(place)));
      for (const spelling of spellingsOf(scope, key)) send(spellings.delete(spelling));
    },
    takeReplaced: (entry) => send(entries.delete(keyOf(scope, entry))),
    discardContent(entry) {
      for (let piece = 0; piece < piecesOf(entry); piece++) send(contents.delete([entry.etag, piece]));
    },
    async moveBelow(key, to) {
      const [from, target] = [placeOf(scope, key), placeOf(scope, to)];
      for (const store of [entries, spellings]) {
        const keys = await store.getAllKeys(keysBelow(from));
        send(store.delete(keysBelow(from)));
        for (const each of keys) send(store.put(0, target + each.slice(from.length)));
      }
      known.clear();
    },
    failure: () => failure,
  };
}

/** The key among the spellings, for a name that has one. */
function spellingsOf(scope: string, key: EntryKey): readonly string[] {
  const name = nameOf(key.path);
  return foldCase(name) === name ? [] : [`${foldedPlaceOf(scope, key)}\0\0${name}`];
}
