import { foldCase, nameOf, parentOf } from '@utensil/core/files';
import type { EntryKey } from '@utensil/core/storage';
import { directoryAt, entriesAt, trustedUntil } from './children.ts';
import { settledMs, signatureOf } from './content.ts';
import { hostPath } from './host-path.ts';
import type { FileSystem } from './file-system.ts';
import { placesOf } from './step.ts';
import type { Step } from './step.ts';

// Each new file needs to know which names differ from its own only in case, and a directory may have many names. So
// they are cached while the stats prove that the directory is unchanged. If it changed a moment ago, the stats prove
// nothing: then the names are valid only for that moment, and only while nobody else has held the lock.

interface Names {
  readonly signature: string;
  /** Expiry of the names if the stats prove nothing. */
  readonly until: number;
  /** True if the directory had settled before it was read. */
  readonly isProof: boolean;
  /** Most names have one spelling, and an array of one takes as much memory as the name. */
  readonly spellings: Map<string, string | readonly string[]>;
}

/** Index of the names in directories by their case-folded form. */
export interface NameIndex {
  /** Other spellings of a name in its directory. */
  twins(key: EntryKey): Promise<readonly string[]>;
  /** Starts a commit; `isAlone`: nobody else has held the lock since the last one of this storage. */
  enter(isAlone: boolean): void;
  /** Updates the index after changes by this storage. */
  follow(steps: readonly Step[]): Promise<void>;
}

/** Limits of the cache, apart from the latest directory. */
export interface Remembered {
  readonly directories: number;
  readonly names: number;
}

const most: Remembered = { directories: 100, names: 500_000 };

/** Creates an index of recently used directories. */
export function createNameIndex(fs: FileSystem, root: string, durableState = most): NameIndex {
  const known = new Map<string, Names>();
  /** Directories looked up by the current commit. */
  const current = new Set<string>();

  async function namesIn(directory: string): Promise<Names | undefined> {
    const stats = await directoryAt(fs, directory, directory === root);
    if (stats === undefined) return undefined;
    const [signature, now] = [signatureOf(stats), Date.now()];
    const before = known.get(directory);
    const isKnown = before?.signature === signature && (before.isProof || now < before.until);
    if (before !== undefined && isKnown) return before;
    const isProof = now - Number(stats.ctimeMs) > settledMs;
    const spellings: Names['spellings'] = new Map();
    for (const { name } of await entriesAt(fs, directory)) add(spellings, name);
    const names = { signature, until: trustedUntil(now), isProof, spellings };
    remember(directory, names);
    return names;
  }

  function remember(directory: string, names: Names): void {
    known.delete(directory);
    known.set(directory, names);
    let [directories, count] = [0, 0];
    for (const [each, { spellings }] of [...known].toReversed()) {
      count += spellings.size;
      const isTooMuch = ++directories > durableState.directories || count > durableState.names;
      if (isTooMuch && each !== directory) known.delete(each);
    }
  }

  return {
    async twins(key) {
      const directory = directoryOf(root, key);
      const name = nameOf(key.path);
      const names = await namesIn(directory);
      current.add(directory);
      return names === undefined ? [] : allOf(names.spellings.get(foldCase(name))).filter((each) => each !== name);
    },
    enter(isAlone) {
      current.clear();
      if (isAlone) return;
      for (const [directory, { isProof }] of known) if (!isProof) known.delete(directory);
    },
    async follow(steps) {
      const changed = new Set<string>();
      for (const { key, comes } of steps.flatMap(placesOf)) {
        const directory = directoryOf(root, key);
        const names = known.get(directory);
        if (names === undefined) continue;
        if (comes) add(names.spellings, nameOf(key.path));
        else drop(names.spellings, nameOf(key.path));
        changed.add(directory);
      }
      for (const directory of changed) {
        const [names, stats] = [known.get(directory), await directoryAt(fs, directory, directory === root)];
        if (names === undefined || stats === undefined || !current.has(directory)) known.delete(directory);
        else known.set(directory, { ...names, signature: signatureOf(stats), isProof: false });
      }
    },
  };
}

function directoryOf(root: string, { tree, path }: EntryKey): string {
  return hostPath(root, { tree, path: parentOf(path) });
}

function allOf(spellings: string | readonly string[] = []): readonly string[] {
  return typeof spellings === 'string' ? [spellings] : spellings;
}

function add(spellings: Names['spellings'], name: string): void {
  const folded = foldCase(name);
  const before = spellings.get(folded);
  if (before === undefined) spellings.set(folded, name);
  else if (!allOf(before).includes(name)) spellings.set(folded, [...allOf(before), name]);
}

function drop(spellings: Names['spellings'], name: string): void {
  const folded = foldCase(name);
  const left = allOf(spellings.get(folded)).filter((each) => each !== name);
  if (left.length > 0) spellings.set(folded, left);
  else spellings.delete(folded);
}
