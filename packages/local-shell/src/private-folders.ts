import { lstat, mkdir, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { isReserved, reservedName, UtensilError } from '@utensil/core';

/** How much is searched for projects inside the project, the nearest first. */
export interface SearchBounds {
  readonly directories: number;
  readonly entries: number;
  /** That are found: each takes two mounts or more. */
  readonly folders: number;
}

/** It is done for each command, and the one before may have filled the disk. */
const usualBounds: SearchBounds = { directories: 1_000, entries: 50_000, folders: 100 };

/** Directories that are open at a time. */
const atOnce = 16;

/** Directories with thousands of others, none of which anybody opens as a project. */
const skipped: ReadonlySet<string> = new Set(['node_modules', '.git']);

/**
 * The folders in which apps keep their own data, such as settings and conversations: what a command wrote there, an app
 * would take for its own. That of the project is made where there is none, so that a command cannot make it.
 *
 * @throws `EACCES` where it is a link or a file: whatever covers that, a command can put another one in its place.
 */
export async function privateFolders(
  root: string,
  writable: readonly string[],
  bounds: SearchBounds = usualBounds,
): Promise<readonly string[]> {
  const folder = join(root, reservedName);
  const found = new Set((await isEnsured(folder)) ? [folder] : []);
  const budget = { ...bounds };
  let level = [root, ...writable];
  while (level.length > 0) {
    const next: string[] = [];
    for (let at = 0; at < level.length && budget.directories > 0; at += atOnce) {
      const paths = level.slice(at, at + Math.min(atOnce, budget.directories));
      budget.directories -= paths.length;
      for (const { own, others } of await Promise.all(paths.map((path) => directoriesIn(path, budget)))) {
        for (const path of own) if (found.size < bounds.folders) found.add(path);
        next.push(...others);
      }
    }
    level = next;
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

async function directoriesIn(directory: string, budget: { entries: number }): Promise<Directories> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(directory, { bufferSize: 256 })) {
      if (budget.entries-- <= 0) break;
      if (entry.isDirectory() && !entry.name.includes('\uFFFD')) names.push(entry.name); // else no text: no app opens it
    }
  } catch {
    // It is gone, or nobody may look into it.
  }
  names.sort();
  const pathsOf = (which: (name: string) => boolean): readonly string[] =>
    names.filter(which).map((name) => join(directory, name));
  return { own: pathsOf(isReserved), others: pathsOf((name) => !isReserved(name) && !skipped.has(name)) };
}
