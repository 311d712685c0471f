import { foldCase, isWithin, joinPath, nameOf, parentOf } from '@utensil/core/files';
import type { StorageChange, EntryKey } from '@utensil/core/storage';
import { textOf } from './place.ts';

/** State of a storage before the first of some changes. */
export interface Stored {
  has(key: EntryKey): boolean;
  /** Number of spellings of the name in its directory. */
  spellings(key: EntryKey): number;
}

/** State that each of some changes finds, given those before it. */
export interface History {
  /** Original key, before all changes, of the entry that a change finds at a key; undefined if it is gone. */
  originAt(index: number, key: EntryKey): EntryKey | undefined;
  hasAt(index: number, key: EntryKey, stored: Stored): boolean;
  spellingsAt(index: number, key: EntryKey, stored: Stored): number;
}

/** A key that a change vacates and a key that it fills, with their case-folded forms. */
interface Step {
  readonly leaves: EntryKey | undefined;
  readonly leavesAs: string | undefined;
  readonly arrives: EntryKey | undefined;
  readonly arrivesAs: string | undefined;
}

/** Traces keys back from a change to the state before all changes. */
export function historyOf(changes: readonly StorageChange[]): History {
  const steps = changes.map(stepOf);

  function originAt(index: number, key: EntryKey): EntryKey | undefined {
    let current = key;
    for (const { leaves, arrives } of stepsBefore(steps, index)) {
      if (leaves && arrives && isInside(arrives, current)) current = rebase(current, arrives, leaves);
      else if (leaves && isInside(leaves, current)) return undefined;
    }
    return current;
  }

  function hasAt(index: number, key: EntryKey, stored: Stored): boolean {
    let current = key;
    for (const { leaves, arrives } of stepsBefore(steps, index)) {
      if (arrives && isSame(arrives, current)) return true;
      if (leaves && arrives && isInside(arrives, current)) current = rebase(current, arrives, leaves);
      else if (leaves && (isSame(leaves, current) || isInside(leaves, current))) return false;
    }
    return stored.has(current);
  }

  function spellingsAt(index: number, key: EntryKey, stored: Stored): number {
    let [current, folded, difference, at] = [key, foldedText(key), 0, index];
    for (const { leaves, leavesAs, arrives, arrivesAs } of stepsBefore(steps, index)) {
      at--;
      if (leaves && arrives && isInside(arrives, current)) {
        current = rebase(current, arrives, leaves);
        folded = foldedText(current);
        continue;
      }
      if (leaves && isInside(leaves, current)) return difference;
      if (arrives && arrivesAs === folded && !hasAt(at, arrives, stored)) difference++;
      if (leaves && leavesAs === folded && hasAt(at, leaves, stored)) difference--;
    }
    return difference + stored.spellings(current);
  }

  return { originAt, hasAt, spellingsAt };
}

function* stepsBefore(steps: readonly Step[], index: number): Generator<Step, void> {
  for (let at = index - 1; at >= 0; at--) {
    const step = steps[at];
    if (step !== undefined) yield step;
  }
}

function stepOf(change: StorageChange): Step {
  const [leaves, arrives] = [departureOf(change), arrivalOf(change)];
  return { leaves, leavesAs: leaves && foldedText(leaves), arrives, arrivesAs: arrives && foldedText(arrives) };
}

/** Case-folded text of a key. */
function foldedText({ tree, path }: EntryKey): string {
  return textOf({ tree, path: joinPath(parentOf(path), foldCase(nameOf(path))) });
}

function arrivalOf(change: StorageChange): EntryKey | undefined {
  return change.type === 'move' ? change.to : change.type === 'remove' ? undefined : change;
}

function departureOf(change: StorageChange): EntryKey | undefined {
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
