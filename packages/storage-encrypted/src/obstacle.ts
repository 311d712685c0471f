// Nameless entries in the underlying storage that block a change: damaged ones, or leftovers of removed entries.

import { foldCase, joinPath, nameOf, parentOf } from '@utensil/core/files';
import type { StorageEntry, EntryKey, StorageDriver } from '@utensil/core/storage';
import { toBase32 } from './base32.ts';
import { childrenOf } from './listing.ts';
import type { Child, Listed } from './listing.ts';
import { placeOf } from './place.ts';
import { mostSpellings } from './plan.ts';

/** An entry that blocks a commit. */
export interface Obstacle {
  /** The blocked key. */
  readonly key: EntryKey;
  /** Key of the obstacle in the underlying storage. */
  readonly at: EntryKey;
  readonly entry: StorageEntry;
  readonly time: number;
}

/** Moves an obstacle out of the way, unless another writer changes it first. The caller then retries. */
export async function clearWay(listed: Listed, obstacle: Obstacle): Promise<void> {
  const { at, entry, time } = obstacle;
  const { driver } = listed;
  if (entry.path !== at.path) {
    await rename(driver, { entry, to: at, time }); // encoded names have no capitals, so it is the name of the expected entry in the wrong case
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

/** A random name that decodes to nothing. */
function randomName(): string {
  return `x${toBase32(crypto.getRandomValues(new Uint8Array(20)))}`;
}

/**
 * Corrects the spelling count of a marker. First gives the marker a unique content, so that a concurrent change of the
 * count causes a conflict.
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

/** Entries with a given name in any case. */
export async function spellingsOf({ driver, names }: Listed, { tree, path }: EntryKey): Promise<readonly Child[]> {
  const folded = foldCase(nameOf(path));
  const { stored } = await placeOf(names, { tree, path: parentOf(path) });
  return (await childrenOf({ driver, names }, stored)).filter(({ name }) => foldCase(name) === folded);
}
