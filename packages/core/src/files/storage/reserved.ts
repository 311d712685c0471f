import { fileError } from '../file-error.ts';
import { foldCase } from '../paths.ts';

/** Folder in which a storage keeps its own data among the user's files. No file or directory may have this name. */
export const reservedName = '.utensil';

const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * True if some disk treats a name as {@link reservedName}: one that ignores case, invisible characters, or trailing
 * dots and spaces, or that supports streams and short names.
 */
export function isReserved(name: string): boolean {
  const visible = name.normalize('NFKC').replaceAll(invisible, '');
  if (!/uten/i.test(visible)) return false;
  const folded = foldCase(visible)
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '');
  return folded === reservedName || /^\.?utensi~\d+$/.test(folded);
}

/**
 * Throws `EACCES` for a path with a reserved name. Enforced on every storage, because files may be moved between
 * storages.
 */
export function refuseReserved(path: string): void {
  const name = plain.test(path) ? undefined : path.split('/').find(isReserved);
  if (name === undefined) return;
  throw fileError('EACCES', path, { hint: `The name ${reservedName} is reserved: choose another.` });
}

/** Fast path for most paths. */
const plain = /^(?:\/\w[\w.-]*)*$/;
