// What is in the way of a change in the storage below, and stands for nothing that anybody can name: it was damaged, or is
// left of something that is gone.

import { foldCase, joinPath, nameOf, parentOf } from '@utensil/core/files';
import type { StorageEntry, EntryKey, StorageDriver } from '@utensil/core/storage';
import { toBase32 } from './base32.ts';
import { childrenOf } from './listing.ts';
import type { Child, Listed } from './listing.ts';
import { placeOf } from './place.ts';
import { mostSpellings } from './plan.ts';

/** Something that a commit met. */
export interface Obstacle {
  /** Whose way it is in. */
  readonly key: EntryKey;
  /** Where the storage below met it. */
  readonly at: EntryKey;
  readonly entry: StorageEntry;
  readonly time: number;
}

/** Puts an obstacle out of the way, unless somebody else changes it meanwhile: whoever met it tries again. */
export async function clearWay(listed: Listed, obstacle: Obstacle): Promise<void> {
  const { at, entry, time } = obstacle;
  const { driver } = listed;
  if (entry.path !== at.path) {
    await rename(driver, { entry, to: at, time }); // none of our names has capitals: it is the one that is missed there
  } else if (entry.kind === 'directory') {
    await rename(driver, { entry, to: { tree: at.tree, path: joinPath(parentOf(at.path), randomName()) }, time });
  } else {
    await recount(listed, obstacle);
  }
}

interface Renaming {
  readonly entry: StorageEntry;
  readonly to: EntryKey;
  readonly time: number;
}

async function rename(driver: StorageDriver, { entry: { tree, path, etag }, to, time }: Renaming): Promise<void> {
  await driver.commit({ expect: [{ tree, path, etag }], changes: [{ type: 'move', tree, path, to }], time });
}

/** A name that stands for nothing. */
function randomName(): string {
  return `x${toBase32(crypto.getRandomValues(new Uint8Array(20)))}`;
}

/**
 * Gives a marker the number of spellings that there are. Before they are counted it gets a content that it never had, so
 * that nobody changes their number unnoticed.
 */
async function recount(listed: Listed, { key, entry: { tree, path, etag }, time }: Obstacle): Promise<void> {
  const { driver } = listed;
  const marker = { tree, path };
  const claim = crypto.getRandomValues(new Uint8Array(mostSpellings));
  const claimed = await driver.commit({
    expect: [{ ...marker, etag }],
    changes: [{ ...marker, type: 'write', content: claim }],
    time,
  });
  const [own] = claimed.ok ? claimed.entries : [];
  if (own === undefined) return;
  const { length } = await spellingsOf(listed, key);
  const counted = { ...marker, type: 'write', content: new Uint8Array(length) } as const;
  await driver.commit({
    expect: [{ ...marker, etag: own.etag }],
    changes: [length === 0 ? { ...marker, type: 'remove' } : counted],
    time,
  });
}

/** The entries that have a name, whatever its case. */
export async function spellingsOf({ driver, names }: Listed, { tree, path }: EntryKey): Promise<readonly Child[]> {
  const folded = foldCase(nameOf(path));
  const { stored } = await placeOf(names, { tree, path: parentOf(path) });
  return (await childrenOf({ driver, names }, stored)).filter(({ name }) => foldCase(name) === folded);
}
