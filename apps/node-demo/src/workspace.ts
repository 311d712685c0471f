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

/** Location of the sample's copy, so that work on it does not change the repository. */
const workingCopy = fileURLToPath(new URL('../../../.utensil-demo', import.meta.url));

/** A folder with its data: the tools' files, and in `.utensil` threads, settings and file versions. */
export interface Workspace {
  readonly folder: string;
  /** The files; changes are attributed to the given turn. */
  files(turn?: string): Files;
  readonly history: History;
  readonly records: RecordStore;
  readonly settings: SettingsStore;
  /** True if the folder is read-only, with threads and settings in memory. */
  readonly isReadOnly: boolean;
}

/** Opens a folder, or a copy of the sample. Throws `ENOENT`, `ENOTDIR`, `EACCES`, and as {@link openSettings} does. */
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

/** Writes nothing to the folder, not even threads. */
function withoutStoring(path: string, options: FilesystemStorageOptions | undefined): Stored {
  const files = readOnly(createFiles(filesystemStorage(path, options)));
  const records = versionedStorage(memoryStorage());
  return { files: () => files, history: records.history, records };
}

/** True if `.utensil` is writable: every change goes through it. */
async function canStore(path: string): Promise<boolean> {
  const home = join(path, '.utensil');
  const place = (await exists(home)) ? home : path;
  return access(place, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The copy appears atomically. */
async function copySample(): Promise<string> {
  if (await exists(workingCopy)) return workingCopy;
  const growing = `${workingCopy}-${process.pid}`;
  try {
    await cp(sample, growing, { recursive: true });
    await rename(growing, workingCopy);
  } catch (error) {
    await rm(growing, { recursive: true, force: true });
    if (!(await exists(workingCopy))) throw sampleProblem(error); // another process was faster
  }
  return workingCopy;
}

function sampleProblem(cause: unknown): UtensilError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new UtensilError(
    'EIO',
    `The sample project cannot be copied to ${workingCopy} (${why}). Choose your own folder with --folder.`,
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

/** Problem with a folder, for people. */
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

/** Advice if a conversation could not be stored; nothing for other errors. */
export function storageAdvice({ folder }: Pick<Workspace, 'folder'>, code: ErrorCode): string | undefined {
  if (!ofStorage.includes(code)) return undefined;
  const place = join(folder, '.utensil');
  return `Conversations are kept in ${place}: see that it can be written, or name another folder with --folder.`;
}

/** Location of settings that could not be read, for inspection. */
export function settingsFolder({ folder }: Workspace): string {
  return join(folder, '.utensil', 'records', 'settings');
}
