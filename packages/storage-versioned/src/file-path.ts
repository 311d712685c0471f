import { resolvePath } from '@utensil/core/files';

/** True for the normalized path of a file or directory other than the root. */
export function isFilePath(value: unknown): value is string {
  if (typeof value !== 'string' || value === '/') return false;
  try {
    return resolvePath(value) === value;
  } catch {
    return false;
  }
}
