import { createAnchors, removed } from './anchor.ts';
import { createChildren, entriesAt } from './children.ts';
import { createVersions } from './content.ts';
import { placesIn } from './disk.ts';
import type { Disk } from './disk.ts';
import type { FileSystem } from './file-system.ts';
import type { Dirent } from 'node:fs';
import { straightPath } from './stats.ts';
import { syncPath } from './home.ts';
import { createDurableState } from './durable-state.ts';
import { createNameIndex } from './names.ts';
import { ownName } from './owner.ts';
import { createPause } from './turn.ts';
import { createPendingSync } from './pending-sync.ts';

/** Options of {@link createDisk}. */
export interface DiskOptions {
  readonly root: string;
  readonly syncs: boolean;
  readonly warn?: Disk['warn'];
}

/** Creates a disk with empty caches. */
export function createDisk(fs: FileSystem, { root, syncs, warn = () => {} }: DiskOptions): Disk {
  const durableState = createDurableState();
  const anchors = createAnchors(fs);
  let real: string | undefined;
  const realRoot = () => real ?? Promise.resolve(fs.realpath(root)).then((path) => (real = path));
  let owner: Promise<string> | undefined;
  return {
    fs,
    root,
    places: placesIn(root),
    syncs,
    syncsAll: syncs,
    durableState,
    pendingSync: createPendingSync(async (directory) => {
      try {
        await syncPath({ fs }, directory);
      } catch (error) {
        durableState.directories.clear();
        throw error;
      }
    }),
    seen: { state: false },
    realRoot,
    anchors,
    warn,
    owner: () => (owner ??= ownName()),
    pause: createPause(),
    versions: createVersions(fs, async (file, host) => {
      const real = await anchors.whereIs(file, host);
      if (real === undefined) return 'replaced';
      const expected = await straightPath({ root, realRoot }, host);
      return real === expected || real === expected + removed;
    }),
    names: createNameIndex(fs, root),
    children: createChildren(fs, { root, read: (host) => readStraight({ fs, anchors, root, realRoot }, host) }),
  };
}

/** Lists a directory; empty if a link leads to it. */
async function readStraight(
  disk: Pick<Disk, 'fs' | 'anchors' | 'root' | 'realRoot'>,
  host: string,
): Promise<readonly Dirent[]> {
  const anchor = await disk.anchors.open(host);
  if (anchor === 'unsupported') return entriesAt(disk.fs, host);
  if (anchor === undefined || anchor === 'loop') return [];
  try {
    return anchor.real === (await straightPath(disk, host)) ? await entriesAt(disk.fs, anchor.path) : [];
  } finally {
    await anchor.close();
  }
}
