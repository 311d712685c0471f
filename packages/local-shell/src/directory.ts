import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { UtensilError } from '@utensil/core';
import { isReserved } from '@utensil/core/storage';

/** Working directory of a command: inside the root, after resolving symbolic links. */
export async function directoryIn(root: string, path = '.'): Promise<string> {
  const named = `"${path}"`;
  const outside = (): UtensilError => new UtensilError('EACCES', `The directory ${named} is outside the project.`);
  if (path.includes('\0')) throw new UtensilError('EINVAL', `${named} is not a valid directory name.`);
  if (!isBelow(root, resolve(root, path))) throw outside(); // whether it exists or not
  const directory = await realpath(resolve(root, path)).catch(() => undefined);
  if (directory === undefined) throw new UtensilError('ENOENT', `There is no directory ${named}.`);
  if (!isBelow(root, directory)) throw outside();
  if (relative(root, directory).split(sep).some(isReserved))
    throw new UtensilError('EACCES', `The directory ${named} belongs to the app: choose another.`);
  if (!(await stat(directory)).isDirectory()) throw new UtensilError('ENOTDIR', `${named} is not a directory.`);
  return directory;
}

function isBelow(root: string, directory: string): boolean {
  const path = relative(root, directory);
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
