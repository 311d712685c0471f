import { Bash, InMemoryFs } from 'just-bash';
import type { Keeper } from './keeper.ts';

/** The filesystem of just-bash. */
export function justBash(): Keeper {
  const fs = new InMemoryFs();
  const bash = new Bash({ fs });
  return {
    async makeDirectories(paths) {
      for (const path of paths) await fs.mkdir(path, { recursive: true });
    },
    async write(files) {
      await Promise.all(files.map(({ path, bytes }) => fs.writeFile(path, bytes)));
    },
    read: (path) => fs.readFileBuffer(path),
    list: async (directory) => (await fs.readdirWithFileTypes(directory)).map(({ name }) => name),
    async search(directory, text) {
      const { stdout } = await bash.exec(`grep -rlF '${text}' ${directory}`);
      return stdout.split('\n').filter(Boolean);
    },
    close: async () => {},
  };
}
