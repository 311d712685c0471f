import type { StorageDriver } from './storage/driver.ts';
import { isWithin } from './paths.ts';

/** Reports changes at or below a path; a change to one of its parents counts as a change to the path. */
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
