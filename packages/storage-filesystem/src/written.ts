import type { BigIntStats } from 'node:fs';
import { isWithin } from '@utensil/core/files';
import { changedKeys, directoryEtag } from '@utensil/core/storage';
import type { StorageChange, StorageCommit, StorageEntry, EntryKey } from '@utensil/core/storage';
import { etagOf, isLarge, signatureOf, versionOf } from './content.ts';
import { hostPath } from './host-path.ts';
import type { Disk } from './disk.ts';
import { lookUp } from './entries.ts';
import { statsIfKnown } from './stats.ts';
import { lookUpEach } from './lookup.ts';
import type { Lookup, Present } from './lookup.ts';

/** Entries that a commit has moved, by their new places. */
export type Moved = Map<string, Present>;

/** Text that identifies a key. */
export function placeOf({ tree, path }: EntryKey): string {
  return `${tree}:${path}`;
}

/** Facts about a completed commit. */
export interface Made {
  readonly lookup: Lookup;
  readonly moved: Moved;
  /** Stats of the staged contents before they were moved into place. */
  readonly staged: ReadonlyMap<string, BigIntStats>;
}

/** Entries after a commit. If another program has since removed or locked one, it is returned as the commit left it. */
export async function entriesOf(
  disk: Disk,
  { changes, time }: StorageCommit,
  made: Made,
): Promise<readonly StorageEntry[]> {
  const entries = await lookUpEach(made.lookup, changes, async (change, index) => {
    if (change.type === 'remove') return undefined;
    const key = change.type === 'move' ? change.to : change;
    if (isTouched(key, changes.slice(index + 1))) return lookUp(disk, made.lookup, key).catch(() => undefined);
    if (change.type === 'write') return written(disk, change, made.staged.get(placeOf(key)));
    const found = await lookUp(disk, made.lookup, key).catch(() => undefined);
    return found ?? (change.type === 'move' ? moved(made.moved.get(placeOf(key)), key) : directory(key, time));
  });
  return entries.filter((entry) => entry !== undefined);
}

function isTouched({ tree, path }: EntryKey, changes: readonly StorageChange[]): boolean {
  return changedKeys(changes).some((key) => key.tree === tree && isWithin(key.path, path));
}

async function written(
  disk: Disk,
  change: StorageChange & { readonly type: 'write' },
  staged: BigIntStats | undefined,
): Promise<StorageEntry> {
  const { tree, path, content } = change;
  const isKnown = staged !== undefined && !isLarge(staged); // by content, which moves with the file
  const stats = isKnown ? staged : await statsIfKnown(disk, hostPath(disk.root, change));
  const modifiedAt = Number((stats ?? staged)?.mtimeMs ?? 0);
  return { tree, path, kind: 'file', modifiedAt, etag: etagOf(content, stats), size: content.length };
}

function directory({ tree, path }: EntryKey, modifiedAt: number): StorageEntry {
  return { tree, path, kind: 'directory', size: 0, modifiedAt, etag: directoryEtag };
}

function moved(found: Present | undefined, key: EntryKey): StorageEntry | undefined {
  const modifiedAt = Number(found?.stats?.mtimeMs ?? 0);
  if (found?.kind !== 'file') return found && directory(key, modifiedAt);
  const { tree, path } = key;
  return { tree, path, kind: 'file', ...versionOf(found.stats, signatureOf(found.stats)) };
}
