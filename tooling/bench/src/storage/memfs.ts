import { memfs } from 'memfs';
import type { Keeper } from './keeper.ts';

const options = { withFileTypes: true } as const;

/** memfs through `fs.promises`. */
export function memfsPromises(): Keeper {
  const { promises } = memfs().fs;
  const read = async (path: string) => (await promises.readFile(path)) as Uint8Array;
  const list = async (directory: string) =>
    (await promises.readdir(directory, options)).map((entry) => String((entry as { readonly name: unknown }).name));
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
      for (const name of await list(directory)) {
        const path = `${directory}/${name}`;
        if (Buffer.from(await read(path)).includes(text)) found.push(path);
      }
      return found;
    },
    close: async () => {},
  };
}

/** memfs through its synchronous functions, which no other storage could offer. */
export function memfsSync(): Keeper {
  const { fs } = memfs();
  const list = (directory: string) =>
    fs.readdirSync(directory, options).map((entry) => String((entry as { readonly name: unknown }).name));
  return {
    async makeDirectories(paths) {
      for (const path of paths) fs.mkdirSync(path, { recursive: true });
    },
    async write(files) {
      for (const { path, bytes } of files) fs.writeFileSync(path, bytes);
    },
    read: async (path) => fs.readFileSync(path) as Uint8Array,
    list: async (directory) => list(directory),
    async search(directory, text) {
      const paths = list(directory).map((name) => `${directory}/${name}`);
      return paths.filter((path) => Buffer.from(fs.readFileSync(path) as Uint8Array).includes(text));
    },
    close: async () => {},
  };
}
