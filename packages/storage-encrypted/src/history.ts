import { foldCase, isWithin, nameOf, parentOf } from '@utensil/core';
import type { Change, EntryKey } from '@utensil/core';
import { textOf } from './place.ts';

/** What a storage has, before the first of some changes. */
export interface Stored {
  has(key: EntryKey): boolean;
  /** How many spellings of the name are in the same directory. */
  spellings(key: EntryKey): number;
}

/** What each of some changes finds, because of those before it. */
export interface History {
  /** Where, before all changes, that was which this one finds at a key; undefined where it is gone. */
  originAt(index: number, key: EntryKey): EntryKey | undefined;
  hasAt(index: number, key: EntryKey, stored: Stored): boolean;
  spellingsAt(index: number, key: EntryKey, stored: Stored): number;
}

/** Goes back from a change to what was there before all of them. */
export function historyOf(changes: readonly Change[]): History {
  const steps = changes.map((change) => ({ arrives: arrivalOf(change), leaves: departureOf(change) }));
  const folded = new Map<string, string>();

  function areTwins(left: EntryKey | undefined, right: EntryKey): boolean {
    return left !== undefined && foldedText(left) === foldedText(right);
  }

  function foldedText(key: EntryKey): string {
    const text = textOf(key);
    const known = folded.get(text) ?? `${key.tree}:${parentOf(key.path)}/${foldCase(nameOf(key.path))}`;
    folded.set(text, known);
    return known;
  }

  function originAt(index: number, key: EntryKey): EntryKey | undefined {
    let current = key;
    for (let at = index - 1; at >= 0; at--) {
      const { arrives, leaves } = steps[at] ?? {};
      if (leaves && arrives && isInside(arrives, current)) current = rebase(current, arrives, leaves);
      else if (leaves && isInside(leaves, current)) return undefined;
    }
    return current;
  }

  function hasAt(index: number, key: EntryKey, stored: Stored): boolean {
    let current = key;
    for (let at = index - 1; at >= 0; at--) {
      const { arrives, leaves } = steps[at] ?? {};
      if (arrives && isSame(arrives, current)) return true;
      if (leaves && arrives && isInside(arrives, current)) current = rebase(current, arrives, leaves);
      else if (leaves && (isSame(leaves, current) || isInside(leaves, current))) return false;
    }
    return stored.has(current);
  }

  function spellingsAt(index: number, key: EntryKey, stored: Stored): number {
    let [current, difference] = [key, 0];
    for (let at = index - 1; at >= 0; at--) {
      const { arrives, leaves } = steps[at] ?? {};
      if (leaves && arrives && isInside(arrives, current)) {
        current = rebase(current, arrives, leaves);
        continue;
      }
      if (leaves && isInside(leaves, current)) return difference;
      if (arrives && areTwins(arrives, current) && !hasAt(at, arrives, stored)) difference++;
      if (leaves && areTwins(leaves, current) && hasAt(at, leaves, stored)) difference--;
    }
    return difference + stored.spellings(current);
  }

  return { originAt, hasAt, spellingsAt };
}

function arrivalOf(change: Change): EntryKey | undefined {
  return change.type === 'move' ? change.to : change.type === 'remove' ? undefined : change;
}

function departureOf(change: Change): EntryKey | undefined {
  return change.type === 'move' || change.type === 'remove' ? change : undefined;
}

function isSame(left: EntryKey, right: EntryKey): boolean {
  return left.tree === right.tree && left.path === right.path;
}

function isInside(directory: EntryKey, key: EntryKey): boolean {
  return directory.tree === key.tree && directory.path !== key.path && isWithin(directory.path, key.path);
}

function rebase({ path }: EntryKey, from: EntryKey, to: EntryKey): EntryKey {
  return { tree: to.tree, path: to.path + path.slice(from.path.length) };
}
