import { lstat, mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Content, Keeper } from './keeper.ts';
import { inGroups } from './work.ts';

/** The minimal atomic replacement of files: a temporary file, renamed. */
export function rawFilesystem(root: string, isDurable: boolean): Keeper {
  let count = 0;
  async function write({ path, bytes }: Content): Promise<void> {
    const temporary = `${root}/.temporary-${++count}`;
    await using file = await open(temporary, 'wx');
    await file.writeFile(bytes);
    if (isDurable) await file.sync();
    await rename(temporary, root + path);
    await using directory = isDurable ? await open(dirname(root + path)) : undefined;
    await directory?.sync();
  }
  const read = (path: string) => readFile(root + path);
  return {
    makeDirectories: async (paths) =>
      void (await Promise.all(paths.map((path) => mkdir(root + path, { recursive: true })))),
    write: async (files) => void (await Promise.all(files.map(write))),
    read,
    async list(directory) {
      const entries = await readdir(root + directory, { withFileTypes: true });
      await Promise.all(entries.map(({ name }) => lstat(`${root}${directory}/${name}`))); // sizes and times
      return entries.map(({ name }) => name);
    },
    async search(directory, text) {
      const found: string[] = [];
      for (const names of inGroups(await readdir(root + directory), 24)) {
        const paths = names.map((name) => `${directory}/${name}`);
        const contents = await Promise.all(paths.map(read));
        found.push(...paths.filter((_, index) => contents[index]?.includes(text)));
      }
      return found;
    },
    close: async () => {},
  };
}
