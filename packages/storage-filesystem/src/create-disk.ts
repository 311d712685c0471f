import { createChildren } from './children.ts';
import { createVersions } from './content.ts';
import { placesIn } from './disk.ts';
import type { Disk, FileSystem } from './disk.ts';
import { syncPath } from './home.ts';
import { createKept } from './kept.ts';
import { createNameIndex } from './names.ts';
import { ownName } from './owner.ts';
import { createPause } from './turn.ts';
import { createUnkept } from './unkept.ts';

/** A disk on which nothing is known yet. */
export function createDisk(fs: FileSystem, { root, syncs }: { readonly root: string; readonly syncs: boolean }): Disk {
  const kept = createKept();
  let real: string | undefined;
  let owner: Promise<string> | undefined;
  return {
    fs,
    root,
    places: placesIn(root),
    syncs,
    keepsAll: syncs,
    kept,
    unkept: createUnkept(async (directory) => {
      try {
        await syncPath({ fs }, directory);
      } catch (error) {
        kept.directories.clear();
        throw error;
      }
    }),
    seen: { state: false },
    realRoot: () => real ?? Promise.resolve(fs.realpath(root)).then((path) => (real = path)),
    owner: () => (owner ??= ownName()),
    pause: createPause(),
    versions: createVersions(fs),
    names: createNameIndex(fs, root),
    children: createChildren(fs, root),
  };
}
