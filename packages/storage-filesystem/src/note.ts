import { codeOf, unless } from './refusal.ts';
import type { FileSystem } from './file-system.ts';
import { statsAt } from './stats.ts';

// A note is a short text that appears, changes and disappears atomically: the target of a symbolic link, which nobody
// follows. If the disk or the user cannot create links, it is a small file.

const noLinks: readonly string[] = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL'];

/** Creates a note. Returns false if it exists. */
export async function leaveNote(fs: FileSystem, path: string, text: string): Promise<boolean> {
  try {
    await fs.symlink(text, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!noLinks.includes(codeOf(error) ?? '')) throw error;
  }
  const write = async (): Promise<boolean> => {
    await fs.writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  };
  return (await unless(write, 'EEXIST')) ?? false;
}

/** Replaces a note; `spare` is an unused path next to it. */
export async function replaceNote(fs: FileSystem, path: string, { text, spare }: { text: string; spare: string }) {
  await leaveNote(fs, spare, text);
  try {
    await fs.rename(spare, path);
  } catch (error) {
    await unless(() => fs.unlink(spare), 'ENOENT');
    throw error;
  }
}

/** Text of a note; undefined if there is none, empty for a pipe or directory that another program put there. */
export async function readNote(fs: FileSystem, path: string): Promise<string | undefined> {
  try {
    return await fs.readlink(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'UNKNOWN') throw error;
    const stats = await statsAt({ fs }, path);
    if (stats === undefined) return undefined;
    return stats.isFile() ? unless(() => fs.readFile(path, 'utf8'), 'ENOENT') : '';
  }
}
