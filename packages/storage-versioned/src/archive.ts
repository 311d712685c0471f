import { ancestorsOf, parentOf } from '@utensil/core/files';
import { entriesBelow } from '@utensil/core/storage';
import type { StorageChange, StorageEntry, EntryKey, StorageDriver } from '@utensil/core/storage';
import type { NewId } from './ids.ts';
import { record, trashRoot, versionsOf } from './layout.ts';
import { encodeNote } from './notes.ts';
import type { About } from './notes.ts';
import { placesInTrash, trashName } from './trash-name.ts';

/** Changes that move entries into the records, so that nothing is lost. */
export interface Archive {
  /**
   * Creates the missing directories of a path in the records, including the path itself, and the trash directory,
   * because a full storage may have no room for it later.
   */
  directories(path: string): Promise<readonly StorageChange[]>;
  /** Moves an entry and its versions to the trash under this name. */
  park(entry: StorageEntry, name: string): Promise<readonly StorageChange[]>;
  /** Makes these the versions of a path. Versions in the way are set aside. */
  moveVersions(versions: EntryKey, to: string): Promise<readonly StorageChange[]>;
}

/** Options of {@link createArchive}. */
export interface ArchiveOptions {
  readonly driver: StorageDriver;
  readonly time: number;
  readonly newId: NewId;
}

export function createArchive({ driver, time, newId }: ArchiveOptions): Archive {
  async function directories(path: string): Promise<readonly StorageChange[]> {
    const keys = [...new Set([...ancestorsOf(path), path, trashRoot])].map(record);
    const found = await driver.stat(keys);
    return keys.filter((_, index) => found[index] === undefined).map((key) => ({ type: 'make-directory', ...key }));
  }

  async function park({ path, kind }: StorageEntry, name: string): Promise<readonly StorageChange[]> {
    const { content } = placesInTrash(name);
    return [
      ...(await newTrash(name, { path, kind })),
      { type: 'move', tree: 'files', path, to: content },
      ...(await parkVersions(path, name)),
    ];
  }

  /** Always creates the directory, so that two writers who choose the same name conflict. */
  async function newTrash(name: string, note: About): Promise<readonly StorageChange[]> {
    const { about, whole } = placesInTrash(name);
    const above = await directories(trashRoot);
    if (about === undefined) return above;
    const made = whole.map((key): StorageChange => ({ type: 'make-directory', ...key }));
    return [...above, ...made, { type: 'write', ...about, content: encodeNote(note) }];
  }

  async function parkVersions(path: string, name: string): Promise<readonly StorageChange[]> {
    const own = record(versionsOf(path));
    const [present] = await driver.stat([own]);
    return present === undefined ? [] : [{ type: 'move', ...own, to: placesInTrash(name).versions }];
  }

  async function moveVersions(versions: EntryKey, to: string): Promise<readonly StorageChange[]> {
    const target = record(versionsOf(to));
    const [own, obstacle] = await driver.stat([versions, target]);
    if (own === undefined) return [];
    const setAside = obstacle === undefined ? [] : await clear(to);
    return [...setAside, ...(await directories(parentOf(target.path))), { type: 'move', ...versions, to: target }];
  }

  /** Sets the versions of a path aside, and removes directories without versions. */
  async function clear(path: string): Promise<readonly StorageChange[]> {
    const versions = record(versionsOf(path));
    const empty: StorageChange[] = [{ type: 'remove', ...versions }];
    for await (const { kind, path: below } of entriesBelow(driver, versions)) {
      if (kind === 'directory') empty.unshift({ type: 'remove', ...record(below) });
      else {
        const name = trashName(newId(time), 'replaced', {});
        return [...(await newTrash(name, { path, kind: 'versions' })), ...(await parkVersions(path, name))];
      }
    }
    return empty;
  }

  return { directories, park, moveVersions };
}
