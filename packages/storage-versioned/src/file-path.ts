import { resolvePath } from '@utensil/core/files';

/** True if a value is the normal path of a file or directory, and not the root. */
export function isFilePath(value: unknown): value is string {
  if (typeof value !== 'string' || value === '/') return false;
  try {
    return resolvePath(value) === value;
  } catch {
    return false;
  }
}
