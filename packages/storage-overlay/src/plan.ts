import { isWithin, parentOf } from '@utensil/core/files';
import type { StorageChange, StorageEntry, EntryKey, StorageDriver } from '@utensil/core/storage';
import type { Base } from './base.ts';
import { allOf } from './ledger.ts';
import type { Stage } from './stage.ts';
import type { Layers } from './view.ts';

type Move = StorageChange & { readonly type: 'move' };
type Removal = StorageChange & { readonly type: 'remove' };

/** Applies a change to a stage. Returns the key in conflict, if there is one. */
export async function planChange(layers: Layers, stage: Stage, change: StorageChange): Promise<EntryKey | undefined> {
  switch (change.type) {
    case 'write':
      return planWrite(stage, change);
    case 'make-directory': {
      if ((await stage.kindAt(change)) !== undefined || !(await hasParent(stage, change))) return keyOf(change);
      await stage.add(change);
      return undefined;
    }
    case 'remove':
      return planRemoval(layers, stage, change);
    case 'move':
      return planMove(layers, stage, change);
  }
}

async function planWrite(stage: Stage, change: StorageChange): Promise<EntryKey | undefined> {
  if ((await stage.kindAt(change)) === 'directory' || !(await hasParent(stage, change))) return keyOf(change);
  const isCovered = (await stage.inUpper(change)) !== undefined;
  const covered = isCovered ? undefined : await stage.inLower(change);
  await stage.add(change);
  if (covered !== undefined) await stage.cut(change, [[change.path, covered.etag]]);
}

async function planRemoval({ lower }: Layers, stage: Stage, change: Removal): Promise<EntryKey | undefined> {
  const [high, low] = [await stage.inUpper(change), await stage.inLower(change)];
  if (change.path === '/' || (high ?? low) === undefined) return keyOf(change);
  const base: (readonly [string, string])[] = [];
  if (low !== undefined) {
    const below = await allOf(stage.below(change));
    if (below.length > 0 && change.recursive !== true) return keyOf(change);
    base.push([change.path, low.etag]);
    for (const entry of below.length === 0 ? [] : await lower.stat(below))
      if (entry) base.push([entry.path, entry.etag]);
  }
  if (high !== undefined) await stage.add(change);
  if (low !== undefined) await stage.cut(change, base);
}

/** Entries of the upper storage are moved there; visible entries of the lower one are copied to the target. */
async function planMove({ lower }: Layers, stage: Stage, change: Move): Promise<EntryKey | undefined> {
  const { to } = change;
  const isIntoItself = change.tree === to.tree && isWithin(change.path, to.path);
  const [high, low] = [await stage.inUpper(change), await stage.inLower(change)];
  if (change.path === '/' || (high ?? low) === undefined) return keyOf(change);
  if (isIntoItself || (await stage.kindAt(to)) !== undefined || !(await hasParent(stage, to))) return to;
  if (high !== undefined) await stage.add(change);
  if (low !== undefined) await stage.cut(change, await copyLower(lower, stage, { low, to }));
}

/** Copies visible entries of the lower storage to the target of a move. Returns the base of the cut. */
async function copyLower(
  lower: StorageDriver,
  stage: Stage,
  { low, to }: { readonly low: StorageEntry; readonly to: EntryKey },
): Promise<Base> {
  const base: (readonly [string, string])[] = [];
  for (const entry of [low, ...(await allOf(stage.below(low)))]) {
    const found = await lower.read(entry);
    const isGone = entry.kind === 'file' && found === undefined; // removed in the meantime
    if (!isGone || entry === low) base.push([entry.path, found?.entry.etag ?? low.etag]); // all directories have the same etag
    const copy = { tree: to.tree, path: to.path + entry.path.slice(low.path.length) };
    if (isGone || (await stage.inUpper(copy)) !== undefined) continue;
    await stage.add(found ? { ...copy, type: 'write', content: found.content } : { ...copy, type: 'make-directory' });
  }
  return base;
}

/** True if the parent of a key is a directory. */
async function hasParent(stage: Stage, { tree, path }: EntryKey): Promise<boolean> {
  return (await stage.kindAt({ tree, path: parentOf(path) })) === 'directory';
}

function keyOf({ tree, path }: EntryKey): EntryKey {
  return { tree, path };
}
