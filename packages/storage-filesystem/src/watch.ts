import { createListeners, reservedName } from '@utensil/core/storage';
import type { EntryKey } from '@utensil/core/storage';
import { isForbidden } from './host-path.ts';
import { watchTree } from './watch-tree.ts';
import type { TreeWatcher } from './watch-tree.ts';

/** Watchers of a storage. */
export interface Watch {
  /** Reports a commit of this storage. */
  readonly tell: (changed: readonly EntryKey[]) => void;
  subscribe(listener: (changed: readonly EntryKey[]) => void): () => void;
  close(): void;
}

const top: readonly EntryKey[] = [
  { tree: 'files', path: '/' },
  { tree: 'records', path: '/' },
];

/**
 * Reports own commits at once, and changes by others as soon as the system does, only while there are listeners. With
 * `tree`, the other tree is not watched: a project may have thousands of directories, and each takes a system resource.
 */
export function createWatch(root: string, tree?: EntryKey['tree']): Watch {
  const listeners = createListeners<readonly EntryKey[]>();
  const seen = new Map<string, EntryKey>();
  let count = 0;
  let watcher: TreeWatcher | undefined;
  let isWaiting = false;
  let isClosed = false;

  /** Reports all changes of one turn together, each once. */
  function collect(keys: readonly EntryKey[]): void {
    for (const { tree, path } of keys) seen.set(`${tree}:${path}`, { tree, path });
    if (seen.size === 0 || isWaiting) return;
    isWaiting = true;
    setImmediate(flush).unref();
  }

  function flush(): void {
    isWaiting = false;
    const keys = [...seen.values()];
    seen.clear();
    if (keys.length > 0) listeners.notify(keys);
  }

  function isOfInterest(key: EntryKey | undefined): boolean {
    return key !== undefined && (tree === undefined || key.tree === tree);
  }

  function open(): TreeWatcher {
    const opened = watchTree({
      root,
      enters: (directory) => directory === '' || directory === reservedName || isOfInterest(keyOf(directory)),
      seen: (place) => collect([keyOf(place)].filter((key) => key !== undefined)),
      lost: () => collect(top),
    });
    opened.attach();
    return opened;
  }

  function rest(): void {
    watcher?.close();
    watcher = undefined;
    seen.clear();
  }

  return {
    tell(changed) {
      if (isClosed || count === 0 || changed.length === 0) return;
      watcher?.attach();
      flush();
      listeners.notify(changed);
    },
    subscribe(listener) {
      const leave = listeners.subscribe(listener);
      count++;
      watcher ??= open();
      let isOver = false;
      return () => {
        leave();
        if (!isOver && --count === 0) rest();
        isOver = true;
      };
    },
    close() {
      isClosed = true;
      rest();
    },
  };
}

/** Key of a path relative to the root; undefined for reserved paths. */
function keyOf(place: string): EntryKey | undefined {
  const records = `${reservedName}/records`;
  const isRecord = place === records || place.startsWith(`${records}/`);
  const path = isRecord ? place.slice(records.length) : place === '' ? '' : `/${place}`;
  const key = { tree: isRecord ? 'records' : 'files', path: path === '' ? '/' : path } as const;
  return isForbidden(key) ? undefined : key;
}
