import { foldCase, nameOf, parentOf } from '@utensil/core';
import type { EntryKey } from '@utensil/core';
import { settledMs, signatureOf } from './content.ts';
import { hostPath } from './disk.ts';
import type { FileSystem } from './disk.ts';
import { statsAt } from './stats.ts';
import { unless } from './refusal.ts';
import { placesOf } from './step.ts';
import type { Step } from './step.ts';

// Which names differ only in case is asked for every new file, and a directory may have many. So its names are kept,
// for as long as its stats prove that they are the same. Where it changed a moment ago they prove nothing: then the
// names count for that moment only, and only while nobody else has had the lock.

interface Names {
  readonly signature: string;
  readonly readAt: number;
  /** Whether the directory had been at rest when it was read. */
  readonly isProof: boolean;
  readonly spellings: Map<string, readonly string[]>;
}

/** The names in directories, by what they have in common when case is ignored. */
export interface NameIndex {
  /** The other spellings of a name in its directory. */
  twins(key: EntryKey): Promise<readonly string[]>;
  /** A commit begins; `isAlone`: nobody else has had the lock since the last one of this storage. */
  enter(isAlone: boolean): void;
  /** This storage has changed something, and nobody else. */
  follow(steps: readonly Step[]): Promise<void>;
}

const maxDirectories = 100;

/** An index of the directories that were asked for last. */
export function createNameIndex(fs: FileSystem, root: string): NameIndex {
  const known = new Map<string, Names>();
  /** The directories that this commit has looked at. */
  const current = new Set<string>();

  async function namesIn(directory: string): Promise<Names | undefined> {
    const stats = await statsAt({ fs }, directory);
    if (stats === undefined) return undefined;
    const [signature, now] = [signatureOf(stats), Date.now()];
    const before = known.get(directory);
    const isKnown = before?.signature === signature && (before.isProof || now - before.readAt < settledMs);
    if (before !== undefined && isKnown) return before;
    const children = (await unless(() => fs.readdir(directory, { withFileTypes: true }), 'ENOENT', 'ENOTDIR')) ?? [];
    const names = {
      signature,
      readAt: now,
      isProof: stats.isDirectory() && now - Number(stats.ctimeMs) > settledMs,
      spellings: new Map(),
    };
    for (const { name } of children) add(names, name);
    if (known.size >= maxDirectories) known.clear();
    known.set(directory, names);
    return names;
  }

  return {
    async twins(key) {
      const directory = directoryOf(root, key);
      const name = nameOf(key.path);
      const names = await namesIn(directory);
      current.add(directory);
      return (names?.spellings.get(foldCase(name)) ?? []).filter((each) => each !== name);
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
        if (comes) add(names, nameOf(key.path));
        else drop(names, nameOf(key.path));
        changed.add(directory);
      }
      for (const directory of changed) {
        const [names, stats] = [known.get(directory), await statsAt({ fs }, directory)];
        if (names === undefined || stats === undefined || !current.has(directory)) known.delete(directory);
        else known.set(directory, { ...names, signature: signatureOf(stats), isProof: false });
      }
    },
  };
}

function directoryOf(root: string, { tree, path }: EntryKey): string {
  return hostPath(root, { tree, path: parentOf(path) });
}

function add({ spellings }: Names, name: string): void {
  const before = spellings.get(foldCase(name)) ?? [];
  if (!before.includes(name)) spellings.set(foldCase(name), [...before, name]);
}

function drop({ spellings }: Names, name: string): void {
  const left = (spellings.get(foldCase(name)) ?? []).filter((each) => each !== name);
  if (left.length > 0) spellings.set(foldCase(name), left);
  else spellings.delete(foldCase(name));
}
