import { access, constants, cp, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import {
  createFiles,
  createRecords,
  type ErrorCode,
  type Files,
  isUtensilError,
  openSettings,
  type RecordStore,
  type SettingsStore,
  UtensilError,
} from '@utensil/core';
import { readOnly } from '@utensil/core/files';
import type { StorageDriver } from '@utensil/core/storage';
import { filesystemStorage, type FilesystemStorageOptions } from '@utensil/storage-filesystem';
import { type History, versionedStorage } from '@utensil/storage-versioned';
import { memoryStorage } from '@utensil/storage-memory';

const sample = fileURLToPath(new URL('../sample', import.meta.url));

/** Where the sample is copied to, so that working on it changes nothing in the repository. */
const workingCopy = fileURLToPath(new URL('../../../.utensil-demo', import.meta.url));

/** A folder with what is stored in it: the files of the tools, and in `.utensil` threads, settings and what files were. */
export interface Workspace {
  readonly folder: string;
  /** The files, whose changes are signed with the turn that they belong to. */
  files(turn?: string): Files;
  readonly history: History;
  readonly records: RecordStore;
  readonly settings: SettingsStore;
  /** Nothing in the folder can be changed, and threads and settings are in memory. */
  readonly isReadOnly: boolean;
}

/** Opens a folder, or the copy of the sample. Throws `ENOENT`, `ENOTDIR`, `EACCES` and what {@link openSettings} throws. */
export async function openWorkspace(folder?: string, options?: FilesystemStorageOptions): Promise<Workspace> {
  const path = folder === undefined ? await copySample() : resolve(folder);
  await checkFolder(path);
  const isReadOnly = !(await canStore(path));
  const stored = isReadOnly ? withoutStoring(path, options) : versionedFiles(path, options);
  const records = createRecords(stored.records);
  const settings = await openSettings(records, 'default');
  return { folder: path, files: stored.files, history: stored.history, records, settings, isReadOnly };
}

interface Stored extends Pick<Workspace, 'files' | 'history'> {
  readonly records: StorageDriver;
}

function versionedFiles(path: string, options: FilesystemStorageOptions | undefined): Stored {
  const storage = versionedStorage(filesystemStorage(path, options));
  return {
    files: (turn) => createFiles(turn === undefined ? storage : storage.as({ actor: 'assistant', turn })),
    history: storage.history,
    records: storage,
  };
}

/** Nothing is written to the folder, not even the threads. */
function withoutStoring(path: string, options: FilesystemStorageOptions | undefined): Stored {
  const files = readOnly(createFiles(filesystemStorage(path, options)));
  const records = versionedStorage(memoryStorage());
  return { files: () => files, history: records.history, records };
}

/** Whether `.utensil` can be written: every change goes through it. */
async function canStore(path: string): Promise<boolean> {
  const home = join(path, '.utensil');
  const place = (await exists(home)) ? home : path;
  return access(place, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The copy appears whole, or not at all. */
async function copySample(): Promise<string> {
  if (await exists(workingCopy)) return workingCopy;
  const growing = `${workingCopy}-${process.pid}`;
  try {
    await cp(sample, growing, { recursive: true });
    await rename(growing, workingCopy);
  } catch (error) {
    await rm(growing, { recursive: true, force: true });
    if (!(await exists(workingCopy))) throw sampleProblem(error); // else another process was faster
  }
  return workingCopy;
}

function sampleProblem(cause: unknown): UtensilError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new UtensilError(
    'EIO',
    `The sample project cannot be copied to ${workingCopy} (${why}). Name a folder of yours with --folder.`,
    { cause },
  );
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function checkFolder(path: string): Promise<void> {
  try {
    const found = await stat(path);
    if (!found.isDirectory())
      throw new UtensilError('ENOTDIR', `${path} is a file: name the folder ${dirname(path)}, or another.`);
    await access(path, constants.R_OK | constants.X_OK);
  } catch (cause) {
    throw folderProblem(path, cause);
  }
}

/** What is wrong with a folder, for people. */
export function folderProblem(path: string, cause: unknown): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT')
    return new UtensilError('ENOENT', `There is no folder ${path}: make it, or name another.`, { cause });
  if (code === 'EACCES' || code === 'EPERM')
    return new UtensilError('EACCES', `The folder ${path} may not be read: change its permissions, or name another.`, {
      cause,
    });
  if (isUtensilError(cause)) return cause;
  const why = code === undefined ? 'it cannot be opened' : `the system says ${String(code)}`;
  return new UtensilError('EINVAL', `${path} cannot be used as a folder (${why}): name another.`, { cause });
}

const ofStorage: readonly ErrorCode[] = ['EACCES', 'EROFS', 'ENOSPC', 'EDQUOT', 'EIO', 'EBUSY'];

/** What to do when a conversation could not be stored; nothing for other errors. */
export function storageAdvice({ folder }: Pick<Workspace, 'folder'>, code: ErrorCode): string | undefined {
  if (!ofStorage.includes(code)) return undefined;
  const place = join(folder, '.utensil');
  return `Conversations are kept in ${place}: see that it can be written, or name another folder with --folder.`;
}

/** Where settings that could not be read are kept, for a person to look at. */
export function settingsFolder({ folder }: Workspace): string {
  return join(folder, '.utensil', 'records', 'settings');
}
