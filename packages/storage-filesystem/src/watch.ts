import { createListeners, reservedName } from '@utensil/core/storage';
import type { EntryKey } from '@utensil/core/storage';
import { isForbidden } from './host-path.ts';
import { watchTree } from './watch-tree.ts';
import type { TreeWatcher } from './watch-tree.ts';

/** Those who watch a storage. */
export interface Watch {
  /** Something was committed here. */
  readonly tell: (changed: readonly EntryKey[]) => void;
  subscribe(listener: (changed: readonly EntryKey[]) => void): () => void;
  close(): void;
}

const top: readonly EntryKey[] = [
  { tree: 'files', path: '/' },
  { tree: 'records', path: '/' },
];

/**
 * Tells of commits at once, and of what others do as soon as the system says so: only while somebody listens. With a tree,
 * no directory of the other one is watched: a project may have many thousands, and each takes a watch of the system.
 */
export function createWatch(root: string, tree?: EntryKey['tree']): Watch {
  const listeners = createListeners<readonly EntryKey[]>();
  const seen = new Map<string, EntryKey>();
  let count = 0;
  let watcher: TreeWatcher | undefined;
  let isWaiting = false;
  let isClosed = false;

  /** What comes within one turn is told together, and once. */
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

/** The key of a place that is named from the root; undefined for what nobody can have. */
function keyOf(place: string): EntryKey | undefined {
  const records = `${reservedName}/records`;
  const isRecord = place === records || place.startsWith(`${records}/`);
  const path = isRecord ? place.slice(records.length) : place === '' ? '' : `/${place}`;
  const key = { tree: isRecord ? 'records' : 'files', path: path === '' ? '/' : path } as const;
  return isForbidden(key) ? undefined : key;
}
