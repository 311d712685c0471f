import { UtensilError } from '@utensil/core';
import type { StorageTree } from '@utensil/core/storage';
import type { MemoryState } from './memory.ts';
import { copyDirectory, emptyTrees } from './node.ts';
import type { DirectoryNode } from './node.ts';

/** Immutable content of a state at one moment. */
export interface MemorySnapshot {
  /** State that the snapshot was taken of, the only one in which its etags are valid. */
  readonly state: MemoryState;
  readonly namespaces: ReadonlyMap<string, Readonly<Record<StorageTree, DirectoryNode>>>;
}

/**
 * Takes a snapshot of all namespaces of a state, which can be restored any number of times. Its cost grows with the
 * number of files, not with their size: no content is copied.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { memorySnapshot, memoryState, memoryStorage, restoreSnapshot } from '@utensil/storage-memory';
 *
 * const state = memoryState();
 * const files = createFiles(memoryStorage({ state }));
 * await files.write('/a.txt', 'first');
 * const snapshot = memorySnapshot(state);
 * await files.write('/a.txt', 'second');
 * restoreSnapshot(state, snapshot);
 * console.log((await files.readText('/a.txt')).text); // first
 * ```
 */
export function memorySnapshot(state: MemoryState): MemorySnapshot {
  const namespaces = new Map([...state.namespaces].map(([name, trees]) => [name, copyTrees(trees)]));
  return { state, namespaces };
}

/**
 * Restores a state to a snapshot and notifies watchers that anything may have changed. Open storages see the restored
 * content; namespaces that the snapshot lacks become empty. Throws `EINVAL` if the snapshot is of another state.
 */
export function restoreSnapshot(state: MemoryState, snapshot: MemorySnapshot): void {
  if (snapshot.state !== state) {
    const hint = 'This snapshot was taken of another state: restore it there.';
    throw new UtensilError('EINVAL', `EINVAL: invalid argument. ${hint}`);
  }
  for (const [name, trees] of state.namespaces) {
    const before = snapshot.namespaces.get(name);
    Object.assign(trees, before === undefined ? emptyTrees() : copyTrees(before));
  }
  for (const watchers of state.watchers.values()) {
    watchers.notify([
      { tree: 'files', path: '/' },
      { tree: 'records', path: '/' },
    ]);
  }
}

function copyTrees({
  files,
  records,
}: Readonly<Record<StorageTree, DirectoryNode>>): Record<StorageTree, DirectoryNode> {
  return { files: copyDirectory(files), records: copyDirectory(records) };
}
