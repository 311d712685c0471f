import { createChildren } from './children.ts';
import { createVersions } from './content.ts';
import { placesIn } from './disk.ts';
import type { Disk, FileSystem } from './disk.ts';
import { syncPath } from './home.ts';
import { createNameIndex } from './names.ts';
import { ownName } from './owner.ts';
import { createPause } from './turn.ts';
import { createUnkept } from './unkept.ts';

/** A disk on which nothing is known yet. */
export function createDisk(fs: FileSystem, { root, syncs }: { readonly root: string; readonly syncs: boolean }): Disk {
  let real: string | undefined;
  let owner: Promise<string> | undefined;
  return {
    fs,
    root,
    places: placesIn(root),
    syncs,
    unkept: createUnkept((directory) => syncPath({ fs }, directory)),
    seen: { state: false },
    realRoot: () => real ?? Promise.resolve(fs.realpath(root)).then((path) => (real = path)),
    owner: () => (owner ??= ownName()),
    pause: createPause(),
    versions: createVersions(fs),
    names: createNameIndex(fs, root),
    children: createChildren(fs, root),
  };
}
