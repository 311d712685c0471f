import { createFiles, createRecords, isUtensilError, messageOf } from '@utensil/core';
import type { ProjectFiles, RecordStore } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { currentTexts } from '../texts/texts.ts';
import { indexeddbStorage } from '@utensil/storage-indexeddb';
import { versionedStorage } from '@utensil/storage-versioned';
import type { VersionedStorage } from '@utensil/storage-versioned';

/** The app's database, with a namespace for each project and one for the app. */
export interface Storages {
  /** Records of the app. */
  readonly app: RecordStore;
  project(id: string): ProjectStorage;
  /** Reason why nothing is stored permanently, if so. */
  readonly problem?: string;
}

/** Storage of a project. */
export interface ProjectStorage {
  readonly storage: VersionedStorage;
  /** For the user interface. */
  readonly files: ProjectFiles;
  readonly records: RecordStore;
}

const database = 'utensil-web-demo';

/** Opens the browser's storage. If there is none, as in some private windows, the app works in memory and says so. */
export async function openStorages(): Promise<Storages> {
  const opened = new Map<string, ProjectStorage>();
  const { storageOf, problem } = await findStorage();
  return {
    app: createRecords(storageOf('app')),
    project(id) {
      const known = opened.get(id);
      if (known !== undefined) return known;
      const storage = versionedStorage(storageOf(`project-${id}`));
      const files = createFiles(storage.as({ actor: 'user' }));
      const project = { storage, files, records: createRecords(storage) };
      opened.set(id, project);
      return project;
    },
    ...(problem !== undefined && { problem }),
  };
}

interface Found {
  storageOf(namespace: string): StorageDriver;
  readonly problem?: string;
}

async function findStorage(): Promise<Found> {
  const storageOf = (namespace: string): StorageDriver => indexeddbStorage({ database, namespace });
  try {
    await storageOf('app').stat([{ tree: 'records', path: '/' }]);
    return { storageOf };
  } catch (error) {
    if (!isUtensilError(error, 'EACCES', 'EIO')) throw error;
    const { memoryStorage } = await import('@utensil/storage-memory'); // most people never need it
    const inMemory = new Map<string, StorageDriver>();
    return {
      storageOf(namespace) {
        const storage = inMemory.get(namespace) ?? memoryStorage();
        inMemory.set(namespace, storage);
        return storage;
      },
      problem: currentTexts().problems.noStorage(messageOf(error)),
    };
  }
}
