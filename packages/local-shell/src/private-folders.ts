import { lstat, mkdir, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { UtensilError } from '@utensil/core';
import { isReserved, reservedName } from '@utensil/core/storage';

/** Limits of the search for projects inside the project, nearest first. */
export interface SearchBounds {
  readonly directories: number;
  readonly entries: number;
  /** Folders found: each takes two mounts or more. */
  readonly folders: number;
}

/** The search runs before each command, and the one before may have filled the disk. */
const usualBounds: SearchBounds = { directories: 1_000, entries: 50_000, folders: 100 };

/** Directories open at a time. */
const atOnce = 16;

/** Directories with thousands of subdirectories that nobody opens as a project. */
const skipped: ReadonlySet<string> = new Set(['node_modules', '.git']);

/**
 * Folders in which apps keep their own data, such as settings and conversations, which must be safe from commands. The
 * project's own folder is created if it is missing, so that a command cannot create it.
 *
 * @throws `EACCES` if it is a link or a file, which a command could replace despite a mount over it
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

/** False on a read-only disk, where a command cannot create it either. */
async function isEnsured(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'EROFS') return false;
    if (code === 'EEXIST' && (await lstat(folder)).isDirectory()) return true;
    const [problem, advice] =
      code === 'EEXIST' ? ['is not a directory', 'remove it'] : ['cannot be created', 'make the project writable'];
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
      if (entry.isDirectory() && !entry.name.includes('\uFFFD')) names.push(entry.name); // names that are not UTF-8 are not opened by any app
    }
  } catch {
    // Removed in the meantime, or unreadable.
  }
  names.sort();
  const pathsOf = (which: (name: string) => boolean): readonly string[] =>
    names.filter(which).map((name) => join(directory, name));
  return { own: pathsOf(isReserved), others: pathsOf((name) => !isReserved(name) && !skipped.has(name)) };
}
