import { createListeners } from '@utensil/core/storage';
import type { EntryKey, StorageTree } from '@utensil/core/storage';

/** Tells of changes: the drivers of a namespace tell each other, in this tab and all others. */
export interface News {
  /** Tells everybody. */
  tell(changed: readonly EntryKey[]): void;
  watch(listener: (changed: readonly EntryKey[]) => void): () => void;
  /** What was told is still on its way to the others; nobody here is told anything more. */
  close(): void;
}

/** Of more than so many changes at once, others are told that they are somewhere in a tree. */
const maxKeys = 1000;

/** News of a namespace. The first that is told or watched opens a channel; where there is none, tabs hear only of themselves. */
export function createNews(database: string, namespace: string): News {
  const name = `@utensil/storage-indexeddb ${JSON.stringify([database, namespace])}`;
  const listeners = createListeners<readonly EntryKey[]>();
  const leave = new Set<() => void>();
  let channel: BroadcastChannel | undefined;

  function open(): BroadcastChannel | undefined {
    return (channel ??= globalThis.BroadcastChannel === undefined ? undefined : new BroadcastChannel(name));
  }

  function hear({ data }: MessageEvent<unknown>): void {
    const changed = toKeys(data);
    if (changed.length > 0) listeners.notify(changed);
  }

  return {
    tell(changed) {
      listeners.notify(changed);
      open()?.postMessage(toMessage(changed));
    },
    watch(listener) {
      open()?.addEventListener('message', hear); // the same function again changes nothing
      const end = listeners.subscribe(listener);
      const endAll = (): void => {
        end();
        leave.delete(endAll);
        if (leave.size === 0) channel?.removeEventListener('message', hear);
      };
      leave.add(endAll);
      return endAll;
    },
    close() {
      for (const end of leave) end();
      channel?.close();
      channel = undefined;
    },
  };
}

/** Strings, each a tree and a path: copied to other tabs in a quarter of the time that objects take. */
function toMessage(changed: readonly EntryKey[]): readonly string[] {
  if (changed.length <= maxKeys) return changed.map(({ tree, path }) => tree + path);
  return [...new Set(changed.map(({ tree }) => `${tree}/`))];
}

/** The keys that a message tells of; none where it is not one of ours. */
function toKeys(message: unknown): readonly EntryKey[] {
  if (!Array.isArray(message)) return [];
  const keys = message.map(toKey);
  return keys.every((key) => key !== undefined) ? keys : [];
}

function toKey(text: unknown): EntryKey | undefined {
  const [, tree, path] = (typeof text === 'string' && /^(files|records)(\/.*)$/su.exec(text)) || [];
  return tree === undefined || path === undefined ? undefined : { tree: tree as StorageTree, path };
}
