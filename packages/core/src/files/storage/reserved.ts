import { fileError } from '../file-error.ts';
import { foldCase } from '../paths.ts';

/** The folder in which a storage keeps its own data where people see its files. No file or directory may have its name. */
export const reservedName = '.utensil';

const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Whether some disk takes a name for {@link reservedName}: one that ignores case, invisible characters, dots and
 * spaces at the end, or that knows streams and short names.
 */
export function isReserved(name: string): boolean {
  if (!/uten/i.test(name.normalize('NFKC').replaceAll(invisible, ''))) return false;
  const folded = foldCase(name.normalize('NFKC').replaceAll(invisible, ''))
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '');
  return folded === reservedName || /^\.?utensi~\d+$/.test(folded);
}

/** Throws `EACCES` for a path with a reserved name, on every storage alike: files may be moved from one to another. */
export function refuseReserved(path: string): void {
  const name = plain.test(path) ? undefined : path.split('/').find(isReserved);
  if (name === undefined) return;
  throw fileError('EACCES', path, { hint: `The name ${reservedName} is reserved: choose another.` });
}

/** Most paths. */
const plain = /^(?:\/\w[\w.-]*)*$/;
