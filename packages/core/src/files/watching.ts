import type { StorageDriver } from './storage/driver.ts';
import { isWithin } from './paths.ts';

/** Tells where files changed at a path or below it; a change to a directory above is one to the path itself. */
export function watchBelow(
  driver: StorageDriver,
  path: string,
  listener: (changed: readonly string[]) => void,
): () => void {
  return driver.watch((keys) => {
    const touched = keys.filter(({ tree }) => tree === 'files').map((key) => key.path);
    const above = touched.some((each) => isWithin(each, path));
    const changed = above ? [path] : touched.filter((each) => isWithin(path, each));
    if (changed.length > 0) listener(changed);
  });
}
