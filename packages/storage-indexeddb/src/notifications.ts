import { createListeners } from '@utensil/core/storage';
import type { EntryKey, StorageTree } from '@utensil/core/storage';

/** Change notifications between the drivers of a namespace, in this tab and all others. */
export interface Notifications {
  /** Notifies all drivers. */
  tell(changed: readonly EntryKey[]): void;
  watch(listener: (changed: readonly EntryKey[]) => void): () => void;
  /** Stops notifications to this driver; messages to others that were already sent still arrive. */
  close(): void;
}

/** Beyond this many changes at once, other tabs are notified of the whole tree. */
const maxKeys = 1000;

/**
 * Creates the notifications of a namespace. The first message or watcher opens a channel. Without BroadcastChannel,
 * tabs see only their own changes.
 */
export function createNotifications(database: string, namespace: string): Notifications {
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
      open()?.addEventListener('message', hear); // adding the same function again has no effect
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

/** Encodes changes as strings, which are cloned to other tabs in a quarter of the time of objects. */
function toMessage(changed: readonly EntryKey[]): readonly string[] {
  if (changed.length <= maxKeys) return changed.map(({ tree, path }) => tree + path);
  return [...new Set(changed.map(({ tree }) => `${tree}/`))];
}

/** Decodes the keys of a message; empty for a foreign message. */
function toKeys(message: unknown): readonly EntryKey[] {
  if (!Array.isArray(message)) return [];
  const keys = message.map(toKey);
  return keys.every((key) => key !== undefined) ? keys : [];
}

function toKey(text: unknown): EntryKey | undefined {
  const [, tree, path] = (typeof text === 'string' && /^(files|records)(\/.*)$/su.exec(text)) || [];
  return tree === undefined || path === undefined ? undefined : { tree: tree as StorageTree, path };
}
