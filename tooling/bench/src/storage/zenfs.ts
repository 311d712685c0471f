import { configureSingle, promises } from '@zenfs/core';
import { IndexedDB } from '@zenfs/dom';
import type { Keeper } from './keeper.ts';

/** ZenFS on its IndexedDB backend, as in its documentation. */
export async function zenfs(storeName: string): Promise<Keeper> {
  await configureSingle({ backend: IndexedDB, storeName });
  const read = (path: string) => promises.readFile(path) as Promise<Uint8Array>;
  const list = async (directory: string) =>
    (await promises.readdir(directory, { withFileTypes: true })).map(({ name }) => name);
  return {
    async makeDirectories(paths) {
      for (const path of paths) await promises.mkdir(path, { recursive: true });
    },
    async write(files) {
      await Promise.all(files.map(({ path, bytes }) => promises.writeFile(path, bytes)));
    },
    read,
    list,
    async search(directory, text) {
      const found: string[] = [];
      const decoder = new TextDecoder();
      for (const name of await list(directory)) {
        const path = `${directory}/${name}`;
        if (decoder.decode(await read(path)).includes(text)) found.push(path);
      }
      return found;
    },
    close: async () => {},
  };
}
