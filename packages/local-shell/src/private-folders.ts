import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isReserved, reservedName, UtensilError } from '@utensil/core';

/** Directories that are searched for projects inside the project, the nearest first: a bound, since it is done for each command. */
const mostDirectories = 1_000;

/** Each takes two mounts or more. */
const mostFolders = 100;

/** Directories with thousands of others, none of which anybody opens as a project. */
const skipped: ReadonlySet<string> = new Set(['node_modules', '.git']);

/**
 * The folders in which apps keep their own data, such as settings and conversations: what a command wrote there, an app
 * would take for its own. That of the project is made where there is none, so that a command cannot make it.
 *
 * @throws `EACCES` where it is a link or a file: whatever covers that, a command can put another one in its place.
 */
export async function privateFolders(root: string, writable: readonly string[]): Promise<readonly string[]> {
  const folder = join(root, reservedName);
  const found = new Set((await isEnsured(folder)) ? [folder] : []);
  let searched = 0;
  for (let level = [root, ...writable]; level.length > 0 && found.size < mostFolders;) {
    const now = level.slice(0, mostDirectories - searched);
    searched += now.length;
    const listings = await Promise.all(now.map(directoriesIn));
    for (const path of listings.flatMap(({ own }) => own)) if (found.size < mostFolders) found.add(path);
    level = listings.flatMap(({ others }) => others);
  }
  return [...found];
}

/** False on a disk that cannot be written: a command cannot make it either. */
async function isEnsured(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'EROFS') return false;
    if (code === 'EEXIST' && (await lstat(folder)).isDirectory()) return true;
    const [problem, advice] =
      code === 'EEXIST' ? ['is no directory', 'remove it'] : ['cannot be made', 'see that the project can be written'];
    throw new UtensilError('EACCES', `The folder "${reservedName}" of the project ${problem}: ${advice}.`, { cause });
  }
}

interface Directories {
  readonly own: readonly string[];
  readonly others: readonly string[];
}

async function directoriesIn(directory: string): Promise<Directories> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isDirectory() && !entry.name.includes('\uFFFD')) // no name in UTF-8: no app opens it
    .map(({ name }) => name);
  const pathsOf = (which: (name: string) => boolean): readonly string[] =>
    names
      .filter(which)
      .sort()
      .map((name) => join(directory, name));
  return { own: pathsOf(isReserved), others: pathsOf((name) => !isReserved(name) && !skipped.has(name)) };
}
