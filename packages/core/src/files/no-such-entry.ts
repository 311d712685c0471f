import type { UtensilError } from '../base/errors.ts';
import type { StorageDriver, StorageTree } from './storage/driver.ts';
import { fileError, quotePath } from './file-error.ts';
import { comparePaths, foldCase, joinPath, nameOf, parentOf } from './paths.ts';
import { locate } from './transaction.ts';
import type { Lookup } from './transaction.ts';

/** `ENOENT` for a path, with suggestions of similar names. */
export async function noSuchEntry({ driver, listed }: Lookup, tree: StorageTree, path: string): Promise<UtensilError> {
  const { missing, obstacle } = await locate(driver, tree, path);
  if (obstacle !== undefined) return fileError('ENOENT', path, { hint: `${quotePath(obstacle.path)} is a file.` });
  const absent = missing[0] ?? path;
  const nearest = (await nearestNames(driver, tree, absent)).map((name) => joinPath(parentOf(absent), name));
  await listed?.(nearest);
  return fileError(
    'ENOENT',
    path,
    nearest.length === 0 ? {} : { hint: `Nearest: ${nearest.map(quotePath).join(', ')}.` },
  );
}

/** Similarly spelled names in the same directory, closest first. */
async function nearestNames(driver: StorageDriver, tree: StorageTree, path: string): Promise<readonly string[]> {
  const siblings = await driver.list({ tree, path: parentOf(path), depth: 1, limit: 1000 });
  const wanted = foldCase(nameOf(path));
  const tolerance = wanted.length < 3 ? 0 : Math.min(3, Math.ceil(wanted.length / 4));
  return siblings
    .map((entry) => nameOf(entry.path))
    .map((name) => ({ name, distance: distanceOf(wanted, foldCase(name), tolerance) }))
    .filter(({ distance }) => distance <= tolerance)
    .sort((left, right) => left.distance - right.distance || comparePaths(left.name, right.name))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Edit distance with transpositions (Damerau–Levenshtein); Infinity if it exceeds `limit`. */
function distanceOf(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return Infinity;
  let older: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const drop = (previous[column] ?? 0) + 1;
      const insert = (current[column - 1] ?? 0) + 1;
      const change = (previous[column - 1] ?? 0) + (same ? 0 : 1);
      const swap = swapped ? (older[column - 2] ?? 0) + 1 : Infinity;
      current.push(Math.min(drop, insert, change, swap));
    }
    [older, previous] = [previous, current];
  }
  return previous[to.length] ?? Infinity;
}
