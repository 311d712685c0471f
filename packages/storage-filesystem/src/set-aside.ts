import { basename, dirname, join, relative, sep } from 'node:path';
import { UtensilError } from '@utensil/core';
import { nameOf } from '@utensil/core/files';
import type { EntryKey } from '@utensil/core/storage';
import type { Disk } from './disk.ts';
import { statsAt } from './stats.ts';
import { refuseLink, syncPath } from './home.ts';
import { uniqueEnd } from './owner.ts';
import { unless } from './refusal.ts';

/** Content that could not be restored when an interrupted commit was undone. */
export interface Stranded {
  /** Current path on the disk. */
  readonly host: string;
  /** Original key; undefined if the journal no longer names it. */
  readonly key?: EntryKey;
  /** Visible path of the content, which stays there. */
  readonly at?: string;
}

const about = `A crash interrupted a change of several files. It was undone when this folder was opened again, but another program
had changed some of these files meanwhile. Its versions are still in place. The versions from before the change are
kept here. Nothing else needs them: copy what you want to keep, and remove the rest.

`;

/** Prefix of names in the folder `tmp` that are never removed. */
export const keptPrefix = 'kept-';

/** Sets aside content that could not be restored, and reports it. */
export async function setAside(
  disk: Disk,
  { host, key, at }: Stranded,
  { id, index }: { readonly id: string; readonly index: number },
): Promise<void> {
  const stats = await statsAt(disk, host);
  if (stats === undefined || !(stats.isFile() || stats.isDirectory())) return;
  const was = key === undefined ? 'A file or folder' : `${key.tree === 'files' ? '' : 'The record '}'${key.path}'`;
  if (at !== undefined && at === key?.path) return tell(disk, `${was} could not be removed again.`);
  if (at !== undefined) return tell(disk, `${was} could not be moved back. It is at '${at}'.`);
  const place = await placeFor(disk, { id, index, was, name: (key && nameOf(key.path)) || 'unknown' });
  await disk.fs.rename(host, place);
  if (disk.syncs)
    for (let above = dirname(place); above !== disk.root; above = dirname(above)) await syncPath(disk, above);
  tell(disk, `${was} could not be restored. It was set aside as '${relative(disk.root, place).replaceAll(sep, '/')}'.`);
}

/** Sets aside a foreign entry at the path of a note. The caller must hold the lock. */
export async function setAsideForeign(disk: Disk, host: string): Promise<void> {
  const { setAside: folder, staging } = disk.places;
  const name = `${basename(host)}-${uniqueEnd()}`;
  let place = join(folder, name);
  try {
    await unless(() => disk.fs.mkdir(folder, { mode: 0o700 }), 'EEXIST');
    await refuseLink(disk, folder);
    await disk.fs.rename(host, place);
  } catch {
    place = join(staging, keptPrefix + name);
    await disk.fs.rename(host, place);
  }
  const [was, now] = [host, place].map((path) => relative(disk.root, path).replaceAll(sep, '/'));
  const message = `recovery_incomplete: another program had put something in the place of '${was}'. It was set aside as '${now}'.`;
  disk.warn(new UtensilError('recovery_incomplete', message));
}

/** An entry to set aside. */
interface Aside {
  readonly id: string;
  readonly index: number;
  readonly was: string;
  readonly name: string;
}

/** A place with a note. If there is no space for a note, a new name in the staging folder, which takes none. */
async function placeFor(disk: Disk, { id, index, was, name }: Aside): Promise<string> {
  const directory = join(disk.places.setAside, id.slice(-12));
  const place = join(directory, `${index}`);
  try {
    for (const each of [disk.places.setAside, directory, place]) {
      await unless(() => disk.fs.mkdir(each, { mode: 0o700 }), 'EEXIST');
      await refuseLink(disk, each);
    }
    await note(disk, join(directory, 'about.txt'), `${index}/${name}: ${was}\n`);
    return join(place, name);
  } catch {
    return join(disk.places.staging, `${keptPrefix}${id.slice(-12)}.${index}`);
  }
}

async function note({ fs }: Disk, file: string, line: string): Promise<void> {
  await unless(() => fs.writeFile(file, about, { flag: 'wx', mode: 0o600 }), 'EEXIST');
  await fs.writeFile(file, line, { flag: 'a' });
}

function tell(disk: Disk, what: string): void {
  const happened = 'recovery_incomplete: a change that a crash interrupted was undone, but another program had changed';
  disk.warn(new UtensilError('recovery_incomplete', `${happened} its files meanwhile. ${what}`));
}
