import { foldCase, isWithin, resolvePath } from '../files/paths.ts';
import { isLeftOut } from './listing.ts';

/** Slashes and dots in the spellings that a browser or proxy accepts: backslashes, percent-encoding. */
const disguised = /\\|%(?:2e|2f|5c)/i;

/**
 * Resolves a model's path below a root other than `/`: `{root}/x`, `/x`, `x` and padded ones all become `{root}/x`.
 * Undefined if the path leaves the root on its way, or disguises where it leads. Throws as `resolvePath` does.
 */
export function placeBelow(root: string, path: string): string | undefined {
  if (disguised.test(path)) return undefined;
  const given = path
    .trim()
    .split('/')
    .filter((name) => name !== '' && name !== '.');
  const names = given[0] === root.slice(1) ? given.slice(1) : given;
  let depth = 0;
  for (const name of names) {
    depth += name === '..' ? -1 : 1;
    if (depth < 0) return undefined;
  }
  return resolvePath([root, ...names].join('/'));
}

/** Resolves a model's path if `/` is the root. Throws as `resolvePath` does. */
export function placeAnywhere(path: string): string {
  return resolvePath(path.startsWith('/') ? path : `/${path}`);
}

/** True if a path is in a directory, also on a disk that ignores case. */
export function isInside(directory: string, path: string): boolean {
  return isWithin(foldCase(directory), foldCase(path));
}

/** True if listings of the root leave a path out. */
export function isHidden(
  path: string,
  { root, leftOut }: { readonly root: string; readonly leftOut: readonly string[] },
): boolean {
  return path
    .slice(root.length)
    .split('/')
    .some((name) => isLeftOut(name, leftOut));
}
