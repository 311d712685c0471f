import { filesystemStorage } from '@utensil/storage-filesystem';
import { memoryStorage } from '@utensil/storage-memory';
import type { Backend } from './catalog.ts';
import type { Keeper } from './keeper.ts';
import { rawFilesystem } from './raw-filesystem.ts';
import { utensil } from './utensil.ts';

/** Opens a storage of files in its own directory. */
export type Open = (directory: string) => Promise<Keeper>;

/** Variants for Node.js. Each loads only its own dependencies. */
export const keepers: Readonly<Record<Exclude<Backend, 'indexeddb'>, Readonly<Record<string, Open>>>> = {
  memory: {
    utensil: async () => utensil(memoryStorage(), { versions: false, counts: true }),
    versions: async () => utensil(memoryStorage(), { versions: true, counts: true }),
    memfs: async () => (await import('./memfs.ts')).memfsPromises(),
    'memfs-sync': async () => (await import('./memfs.ts')).memfsSync(),
    'just-bash': async () => (await import('./just-bash.ts')).justBash(),
  },
  filesystem: {
    utensil: async (directory) => utensil(filesystemStorage(directory), { versions: false, counts: false }),
    versions: async (directory) => utensil(filesystemStorage(directory), { versions: true, counts: false }),
    raw: async (directory) => rawFilesystem(directory, false),
    durable: async (directory) =>
      utensil(filesystemStorage(directory, { durability: 'power' }), { versions: false, counts: false }),
    'raw-durable': async (directory) => rawFilesystem(directory, true),
  },
};
