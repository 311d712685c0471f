import { fileError, quotePath } from '../file-error.ts';
import type { Files } from '../files.ts';
import { ancestorsOf, comparePaths, foldCase, isWithin, resolvePath } from '../paths.ts';
import { translateFiles } from '../translate.ts';

/** Mounted files and their directory. Paths in and out are those of the whole. */
export interface Mount {
  readonly path: string;
  readonly files: Files;
}

/** Maps paths to mounts. */
export interface MountTable {
  /** The root and all mounts, in order. */
  readonly all: readonly Mount[];
  /** The longest mount that contains the path. */
  ownerOf(path: string): Mount;
  /** Mounts below a directory, in order. */
  below(path: string): readonly Mount[];
  /** True for the root, a mount, or a directory above one: these always exist as directories. */
  isFixed(path: string): boolean;
  /** All directories for which {@link MountTable.isFixed} is true, in order. */
  readonly fixed: readonly string[];
  /** Throws `EEXIST` for a name that differs only in case from a mount or a directory above one. */
  refuseTwin(path: string): void;
  /** The same table with other files. */
  over(filesOf: (mount: Mount) => Files): MountTable;
}

/** Throws `EINVAL` for a mount at the root, or for two at the same place. */
export function createMountTable(root: Files, given: Readonly<Record<string, Files>>): MountTable {
  const mounts = Object.entries(given).map(([path, files]) => toMount(resolvePath(path), files));
  mounts.sort((left, right) => comparePaths(left.path, right.path));
  const whole: Mount = { path: '/', files: root };
  const fixed = [...new Set(['/', ...mounts.flatMap(({ path }) => [...ancestorsOf(path), path])])].sort(comparePaths);
  refuseSamePlace(mounts, fixed);
  return tableOf(whole, mounts, fixed);
}

function tableOf(whole: Mount, mounts: readonly Mount[], fixed: readonly string[]): MountTable {
  const spellings = new Map(fixed.map((path) => [foldCase(path), path]));
  return {
    all: [whole, ...mounts],
    ownerOf: (path) => mounts.findLast((mount) => isWithin(mount.path, path)) ?? whole,
    below: (path) => mounts.filter((mount) => mount.path !== path && isWithin(path, mount.path)),
    isFixed: (path) => fixed.includes(path),
    fixed,
    refuseTwin(path) {
      for (const each of [...ancestorsOf(path), path]) {
        const twin = spellings.get(foldCase(each));
        if (twin === undefined || twin === each) continue;
        const hint = `${quotePath(twin)} differs from it only in case: use that one, or another name.`;
        throw fileError('EEXIST', each, { hint });
      }
    },
    over(filesOf) {
      const change = (mount: Mount): Mount => ({ path: mount.path, files: filesOf(mount) });
      return tableOf(change(whole), mounts.map(change), fixed);
    },
  };
}

function toMount(path: string, files: Files): Mount {
  if (path === '/')
    throw fileError('EINVAL', path, { hint: 'Nothing can be mounted at the root, which has files of its own.' });
  return { path, files: translateFiles(files, { outer: path, inner: '/' }) };
}

function refuseSamePlace(mounts: readonly Mount[], fixed: readonly string[]): void {
  const places = new Set(fixed.map(foldCase));
  const isTwice = mounts.find(({ path }, index) => path === mounts[index + 1]?.path);
  if (isTwice !== undefined) throw fileError('EINVAL', isTwice.path, { hint: 'It is mounted twice.' });
  if (places.size === fixed.length) return;
  throw fileError('EINVAL', '/', { hint: 'Two mounts have names that differ only in case.' });
}
