import { createFiles } from '@utensil/core';
import { searchFiles } from '@utensil/core/files';
import type { StorageDriver } from '@utensil/core/storage';
import { versionedStorage } from '@utensil/storage-versioned';
import type { Keeper } from './keeper.ts';

/** Options for one of our storages. */
export interface UtensilOptions {
  readonly versions: boolean;
  /** True to count the bytes that reach the storage; otherwise those that leave the process are counted. */
  readonly counts: boolean;
}

/** One of our storages, used through its public interface. */
export function utensil(storage: StorageDriver, { versions, counts }: UtensilOptions): Keeper {
  const counted = counts ? countWrites(storage) : { driver: storage, written: undefined };
  const driver = versions ? versionedStorage(counted.driver) : counted.driver;
  const files = createFiles(driver, { maxFileBytes: 2 ** 26 });
  return {
    async makeDirectories(paths) {
      for (const path of paths) await files.makeDirectory(path);
    },
    async write(contents) {
      await Promise.all(contents.map(({ path, bytes }) => files.write(path, bytes)));
    },
    read: async (path) => (await files.read(path)).bytes,
    async list(directory) {
      const names: string[] = [];
      let after: string | undefined;
      do {
        const { entries, next } = await files.list(directory, after === undefined ? {} : { after });
        for (const { path } of entries) names.push(path.slice(directory.length + 1));
        after = next;
      } while (after !== undefined);
      return names;
    },
    async search(under, text) {
      const paths: string[] = [];
      for await (const found of searchFiles(files, { under, text })) if (found.type === 'hit') paths.push(found.path);
      return paths;
    },
    ...(counted.written !== undefined && { written: counted.written }),
    close: () => driver.close(),
  };
}

/** Wraps a storage to count written bytes of content. */
function countWrites(driver: StorageDriver): { readonly driver: StorageDriver; readonly written: () => number } {
  let bytes = 0;
  const commit: StorageDriver['commit'] = (given) => {
    for (const change of given.changes) if (change.type === 'write') bytes += change.content.length;
    return driver.commit(given);
  };
  return { driver: { ...driver, commit }, written: () => bytes };
}
