import { createFiles, UtensilError } from '@utensil/core';
import { decodeText, fileError, resolvePath } from '@utensil/core/files';
import type { FileStat } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import type { Author } from './author.ts';
import { compact } from './compact.ts';
import type { Compacted } from './compact.ts';
import { listVersions, readOldVersion, versionKey, versionName } from './layout.ts';
import { writerOf } from './retention.ts';
import type { Retention } from './retention.ts';
import { commitFreeing } from './room.ts';
import type { Past } from './shared.ts';
import type { Trashed } from './trash.ts';

/** A current or earlier content of a file. */
export interface FileVersion {
  /** From 1, the oldest retained version. Dropping old versions renumbers the rest. */
  readonly number: number;
  /** Identifies the version while it is retained; `current` for the current content. */
  readonly id: string;
  readonly size: number;
  /** Time of the write, in milliseconds since 1970. */
  readonly modifiedAt: number;
  /** Author of the write, if the change was signed. */
  readonly author?: Author;
  /** True if the content was erased on request. */
  readonly isErased?: boolean;
}

export interface VersionBytes extends FileVersion {
  readonly bytes: Uint8Array;
}

/** The history of the files in a storage. A version is named by its number or its id. */
export interface History {
  /** Lists the versions of a file, oldest first and the current one last. Throws `ENOENT`. */
  versions(path: string): Promise<readonly FileVersion[]>;
  /** Reads a version. Throws `ENOENT`, and `ESTALE` if the version was dropped or erased. */
  read(path: string, version: number | string): Promise<VersionBytes>;
  /** Compares two versions as a unified diff; empty if they are equal. Throws like `read`, and `binary_file`. */
  diff(path: string, from: number | string, to?: number | string): Promise<string>;
  /** Writes an old content again, as the newest version. Throws like `read`. */
  rollBack(path: string, version: number | string): Promise<FileStat>;
  /** Erases the content of an old version but keeps its place in the list. Throws like `read`. */
  erase(path: string, version: number | string): Promise<void>;
  /** Lists entries that were removed, or replaced by a move, oldest first. */
  trash(): Promise<readonly Trashed[]>;
  /**
   * Restores an entry of the trash with its versions, to its old path or another one. Throws `ESTALE`, `EEXIST`,
   * `ENOTDIR`.
   */
  restore(id: string, options?: { readonly to?: string }): Promise<FileStat>;
  /** Destroys one entry of the trash, or all of them, with their versions. Throws `ESTALE`. */
  purge(id?: string): Promise<void>;
  /**
   * Undoes all changes of a turn in one commit; the contents that it wrote stay in the history. Throws `ESTALE` for an
   * unknown turn, and `ECONFLICT` if others have since changed the same files; in both cases nothing is changed.
   */
  undo(turn: string): Promise<void>;
  /** Drops everything beyond a retention, by default that of the storage. Run it about once a day. */
  compact(options?: { readonly retention?: Retention }): Promise<Compacted>;
}

/** Creates the history of a storage. */
export function createHistory(past: Past): History {
  const { driver } = past;

  return {
    versions: async (path) => versionsAt(driver, resolvePath(path)),
    read: async (path, version) => readVersion(driver, resolvePath(path), version),
    async diff(path, from, to = 'current') {
      const target = resolvePath(path);
      const [before, after] = [await readText(driver, target, from), await readText(driver, target, to)];
      if (before === after) return '';
      const { createPatch } = await import('diff');
      return createPatch(target, before, after, `version ${from}`, `version ${to}`);
    },
    async rollBack(path, version) {
      const target = resolvePath(path);
      const { bytes } = await readVersion(driver, target, version);
      const files = createFiles(past.over(driver), { maxFileBytes: Infinity, now: past.now });
      return files.write(target, bytes);
    },
    erase: async (path, version) => erase(past, resolvePath(path), version),
    // Loaded on demand, because most visits to a page undo nothing.
    trash: async () => (await import('./trash.ts')).listTrash(driver),
    async restore(id, { to } = {}) {
      const target = to === undefined ? undefined : resolvePath(to);
      return (await import('./trash.ts')).restore(past, id, target);
    },
    purge: async (id) => (await import('./trash.ts')).purge(past, id),
    undo: async (turn) => (await import('./undo.ts')).undoTurn(past, turn),
    compact: ({ retention = past.retention } = {}) => compact({ ...past, retention }),
  };
}

async function versionsAt(driver: StorageDriver, path: string): Promise<readonly FileVersion[]> {
  const [stored, [current]] = await Promise.all([listVersions(driver, path), driver.stat([{ tree: 'files', path }])]);
  if (current?.kind === 'directory') throw fileError('EISDIR', path, { hint: 'Only files have versions.' });
  const versions = stored.flatMap((version, index): readonly Omit<FileVersion, 'number'>[] => {
    const { id, kind, size, modifiedAt } = version;
    if (kind === 'c') return [];
    return [{ id, size, modifiedAt, ...signed(writerOf(stored, index)), ...(kind === 'x' ? { isErased: true } : {}) }];
  });
  if (current !== undefined) {
    const { size, modifiedAt } = current;
    versions.push({ id: 'current', size, modifiedAt, ...signed(writerOf(stored, stored.length)) });
  }
  if (versions.length === 0) throw fileError('ENOENT', path);
  return versions.map((version, index) => ({ number: index + 1, ...version }));
}

function signed(author: Author | undefined): { readonly author?: Author } {
  return author === undefined ? {} : { author };
}

/** Finds a version and the record of its content. */
async function findVersion(driver: StorageDriver, path: string, wanted: number | string) {
  const versions = await versionsAt(driver, path);
  const version = versions.find(({ number, id }) => (typeof wanted === 'number' ? number : id) === wanted);
  if (version === undefined || version.isErased === true) {
    const gone = version === undefined ? 'was dropped or never existed' : 'was erased';
    throw fileError('ESTALE', path, {
      hint: `Its version ${wanted} ${gone}; there are versions 1 to ${versions.length}.`,
    });
  }
  if (version.id === 'current') return { version, key: { tree: 'files', path } as const };
  const stored = (await listVersions(driver, path)).find(({ id }) => id === version.id);
  if (stored === undefined) throw fileError('ESTALE', path, { hint: `Its version ${wanted} has just been dropped.` });
  return { version, stored, key: versionKey(path, stored.name) };
}

async function readVersion(driver: StorageDriver, path: string, wanted: number | string): Promise<VersionBytes> {
  const { version, stored, key } = await findVersion(driver, path, wanted);
  const bytes = stored ? await readOldVersion(driver, path, stored.name) : (await driver.read(key))?.content;
  if (bytes === undefined) throw fileError('ESTALE', path, { hint: `Its version ${wanted} has just been dropped.` });
  return { ...version, bytes };
}

async function readText(driver: StorageDriver, path: string, wanted: number | string): Promise<string> {
  const decoded = decodeText((await readVersion(driver, path, wanted)).bytes);
  if (decoded !== undefined) return decoded.text;
  throw new UtensilError('binary_file', `binary_file: the version ${wanted} of '${path}' is not text.`, { path });
}

async function erase({ driver }: Past, path: string, wanted: number | string): Promise<void> {
  const { stored, key } = await findVersion(driver, path, wanted);
  if (stored === undefined) {
    throw fileError('EINVAL', path, { hint: 'It is the current content: write something else first.' });
  }
  const marker = versionKey(path, versionName({ ...stored, kind: 'x' }));
  const changes = [
    { type: 'remove', ...key },
    { type: 'write', ...marker, content: new Uint8Array() },
  ] as const;
  if ((await commitFreeing(driver, changes, stored.modifiedAt)) === 0)
    throw fileError('ESTALE', path, { hint: `Its version ${wanted} has just been dropped.` });
}
