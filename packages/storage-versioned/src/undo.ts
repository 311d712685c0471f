import { createFiles, isUtensilError } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { Files, UtensilError } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import type { NewId } from './ids.ts';
import { listVersions, parseVersionName, readOldVersion, record, turnDirectory } from './layout.ts';
import type { StoredVersion } from './layout.ts';
import type { Done } from './notes.ts';
import { restage } from './restage.ts';
import type { Past } from './shared.ts';
import { bringBack } from './trash.ts';
import { parseTrashName } from './trash-name.ts';
import { readTurn } from './turn-notes.ts';
import type { Unknown } from './turn-notes.ts';

/** Undoes all changes of a turn, the last one first, in one commit. */
export async function undoTurn(past: Past, turn: string): Promise<void> {
  const directories: Directories = { removed: new Set(), stuck: new Set() };
  for (;;) {
    try {
      return await restage(past, (driver, time) => takeBackAll(past, { turn, driver, time, directories }));
    } catch (error) {
      if (!isStuck(error, directories)) throw error;
      directories.stuck.add(error.path ?? '/');
    }
  }
}

/**
 * Directories that the turn created and that must go, and directories that the storage cannot remove because of hidden
 * entries.
 */
interface Directories {
  readonly removed: Set<string>;
  readonly stuck: Set<string>;
}

function isStuck(error: unknown, { removed, stuck }: Directories): error is UtensilError {
  const path = isUtensilError(error, 'EACCES', 'ENOTEMPTY') ? error.path : undefined;
  return path !== undefined && removed.has(path) && !stuck.has(path);
}

type Undoing = Pick<Work, 'turn' | 'time' | 'driver' | 'directories'>;

async function takeBackAll(past: Past, undoing: Undoing): Promise<void> {
  const { turn, driver, time } = undoing;
  const done = await readDone(driver, turn);
  if (done.length === 0) throw fileError('ESTALE', '/', { hint: `The turn '${turn.slice(0, 100)}' is unknown.` });
  const work = createWork(past, undoing);
  const changed = new Set<string>();
  for (const each of done.toReversed()) {
    if (!(await takeBack(work, each))) changed.add(each.path);
  }
  if (changed.size > 0) throw changedSince([...changed]);
  const forget = { type: 'remove', ...record(turnDirectory(turn)), recursive: true } as const;
  await driver.commit({ expect: [], changes: [forget], time });
}

function createWork(past: Past, undoing: Undoing): Work {
  const ids = new Set<string>();
  const newId: NewId = (time, after) => {
    const id = past.newId(time, after);
    ids.add(id);
    return id;
  };
  const files = createFiles(past.over(undoing.driver, newId), { now: () => undoing.time, maxFileBytes: Infinity });
  return { ...undoing, newId, files, isOfUndoing: (id) => ids.has(id) };
}

function changedSince(paths: readonly string[]): Error {
  const shown = paths.slice(0, 10).map((path) => `'${path}'`);
  const more = paths.length > shown.length ? ` and ${paths.length - shown.length} more` : '';
  const hint = `Changed since by somebody else: ${shown.join(', ')}${more}. Nothing was undone; restore versions one by one.`;
  return fileError('ECONFLICT', paths[0] ?? '/', { hint });
}

/** Reads the changes of a turn. Throws `EIO` if any of them is unknown. */
async function readDone(driver: StorageDriver, turn: string): Promise<readonly Done[]> {
  const done = turn === '' ? [] : await readTurn(driver, turn);
  if (!isUnknown(done)) return done;
  const { trash, cause } = done;
  const happened =
    trash === undefined
      ? `The record of the turn '${turn}' is damaged, or was written by a newer version.`
      : `The turn '${turn}' removed something from a full storage, which had no room for its path.`;
  const toDo = trash === undefined ? 'restore versions one by one' : `restore '${trash}' from the trash first`;
  throw fileError('EIO', '/', { hint: `${happened} Nothing was undone; ${toDo}.`, cause });
}

function isUnknown(done: readonly Done[] | Unknown): done is Unknown {
  return !Array.isArray(done);
}

interface Work {
  readonly turn: string;
  readonly time: number;
  /** The stage, below the versioning. */
  readonly driver: StorageDriver;
  /** Files of the stage, with versioning. */
  readonly files: Files;
  readonly newId: NewId;
  readonly directories: Directories;
  /** True if the undo itself created a version. */
  isOfUndoing(id: string): boolean;
}

/** Reverts one change. Returns false if others have changed the file since. */
async function takeBack(work: Work, done: Done): Promise<boolean> {
  switch (done.type) {
    case 'write':
      return takeBackWrite(work, done);
    case 'make-directory':
      return takeBackDirectory(work, done.path);
    case 'remove-directory':
      return giveBackDirectory(work, done.path);
    case 'remove':
      return takeBackRemoval(work, done);
    case 'move':
      return takeBackMove(work, done);
  }
}

async function takeBackWrite(work: Work, { path, version }: Done & { readonly type: 'write' }): Promise<boolean> {
  const { files, driver } = work;
  const stored = await listVersions(driver, path);
  const own = stored.filter(({ by }) => by.turn === work.turn);
  const id = version === undefined ? undefined : parseVersionName(version)?.id;
  const from = version === undefined ? own.findLast(({ kind }) => kind === 'c') : own.find((each) => each.id === id);
  const isMine = stored.every((each) => from !== undefined && (each.id <= from.id || isOf(work, each)));
  const isThere = (await files.stat(path))?.kind === 'file';
  if (from === undefined || !isMine || !isThere) return false;
  if (version === undefined) {
    await files.remove(path);
    return true;
  }
  const content = from.kind === 'v' ? await readOldVersion(driver, path, from.name) : undefined;
  if (content !== undefined) await files.write(path, content);
  return content !== undefined;
}

function isOf({ turn, isOfUndoing }: Work, { id, by }: StoredVersion): boolean {
  return by.turn === turn || isOfUndoing(id);
}

/** Removes a directory that the turn created. One that is not empty stays, which is harmless. */
async function takeBackDirectory({ files, directories }: Work, path: string): Promise<boolean> {
  const isThere = (await files.stat(path))?.kind === 'directory';
  if (isThere && !directories.stuck.has(path) && (await succeeds(files.remove(path)))) directories.removed.add(path);
  return true;
}

async function giveBackDirectory({ files }: Work, path: string): Promise<boolean> {
  const found = await files.stat(path);
  return found === undefined ? succeeds(files.makeDirectory(path)) : found.kind === 'directory';
}

async function takeBackRemoval(work: Work, { trash, path }: Done & { readonly type: 'remove' }): Promise<boolean> {
  const { driver, newId, time, turn } = work;
  const isOwn = parseTrashName(trash)?.by.turn === turn;
  return isOwn && succeeds(bringBack(driver, { id: trash, to: path, time, newId }));
}

/** Moves an entry back if it is unchanged, or if only the turn itself changed it. */
async function takeBackMove(work: Work, { path, to, etag }: Done & { readonly type: 'move' }): Promise<boolean> {
  const [entry] = await work.driver.stat([{ tree: 'files', path: to }]);
  const last = entry?.etag === etag ? undefined : (await listVersions(work.driver, to)).at(-1);
  const isMine = entry?.etag === etag || (last !== undefined && isOf(work, last));
  return isMine && succeeds(work.files.move(to, path));
}

/** True unless the changes of others interfered. */
async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    const isInTheWay = isUtensilError(error, 'ENOENT', 'EEXIST', 'ENOTDIR', 'ENOTEMPTY', 'EINVAL', 'ESTALE');
    if (isInTheWay) return false;
    throw error;
  }
}
