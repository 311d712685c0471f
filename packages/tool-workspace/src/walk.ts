import { isUtensilError } from '@utensil/core';
import { resolvePath } from '@utensil/core/files';
import { rulesAt, rulesName, noRules, withRulesOf } from './ignore-rules.ts';
import type { IgnoreRules } from './ignore-rules.ts';
import { pathIn } from './reader.ts';
import type { FileReader, NamedEntry } from './reader.ts';

/** Options of a walk. */
export interface Walk {
  readonly under: string;
  /** True to include files ignored by a `.gitignore` or by default. */
  readonly includeIgnored?: boolean;
  readonly signal?: AbortSignal;
  /** Receives the paths of `.gitignore` files of which some patterns were skipped. */
  readonly cutRules?: Set<string>;
}

/** A directory being walked. */
interface Level {
  readonly directory: string;
  readonly rules: IgnoreRules;
  readonly entries: readonly NamedEntry[];
  next: number;
}

/** Number of entries between checks of the clock and the signal. */
const sometimes = 64;

/** Batch sizes: small for the first files, then larger. */
const [fewest, most] = [16, 256];

/** Paths of the files below a directory in listing order, in batches. */
export async function* walkFiles(reader: FileReader, walk: Walk): AsyncGenerator<readonly string[], void> {
  const pause = createYielder();
  const open = async (directory: string, rules: IgnoreRules): Promise<Level> => {
    walk.signal?.throwIfAborted();
    await pause();
    const entries = await reader.list(directory);
    const hasRules = entries.some(({ name, kind }) => kind === 'file' && name === rulesName);
    return { directory, entries, next: 0, rules: hasRules ? await withRulesOf(reader, directory, rules) : rules };
  };
  const rules =
    walk.includeIgnored === true ? noRules : await rulesAt(reader, walk.under, (path) => void walk.cutRules?.add(path));
  const levels = [await open(walk.under, rules)];
  let size = fewest;
  let paths: string[] = [];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const entry = level.entries[level.next++];
    if (entry === undefined) {
      levels.pop();
      continue;
    }
    if (level.next % sometimes === 0) {
      walk.signal?.throwIfAborted();
      await pause();
    }
    const path = pathIn(level.directory, entry);
    if (level.rules.isIgnored(path, entry.kind) || !isPath(path)) continue;
    if (entry.kind === 'directory') levels.push(await open(path, level.rules));
    else if (paths.push(path) >= size) {
      yield paths;
      paths = [];
      size = Math.min(size * 2, most);
    }
  }
  if (paths.length > 0) yield paths;
}

/** True if an entry of a disk has a valid path: not too deep and not too long. */
function isPath(path: string): boolean {
  try {
    return resolvePath(path) === path;
  } catch (error) {
    if (isUtensilError(error, 'ENAMETOOLONG')) return false;
    throw error;
  }
}

/** Yields occasionally, also to an abort, in case a storage is fully synchronous. */
export function createYielder(): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < 50) return undefined;
    return new Promise<void>((resolve) => {
      setTimeout(() => {
        last = performance.now();
        resolve();
      });
    });
  };
}

/** Matching paths. Yields to other work and to an abort. */
export async function matchingPaths(
  paths: readonly string[],
  matches: (path: string) => boolean,
  { pause, signal }: { readonly pause: () => Promise<void> | undefined; readonly signal?: AbortSignal },
): Promise<readonly string[]> {
  const matching: string[] = [];
  for (const path of paths) {
    signal?.throwIfAborted();
    await pause();
    if (matches(path)) matching.push(path);
  }
  return matching;
}
