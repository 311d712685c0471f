import { recordSuite, storageSuite, threadSuite } from '@utensil/core/testing';
import type { StorageBackend } from '@utensil/core/testing';
import { describe, test } from 'vitest';
import { type SharedText, sharedTextStorage } from './shared-text.ts';

/** A text in memory. It outlives the storages that are opened on it. */
function sharedText(): SharedText {
  const listeners = new Set<(news: string) => void>();
  let now = { text: '', version: 0 };
  return {
    read: async () => now,
    async replace(text, version, news) {
      if (version !== now.version) return false;
      now = { text, version: version + 1 };
      for (const tell of listeners) tell(news);
      return true;
    },
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Each test gets a new place; it opens drivers there, several on one namespace, and closes them. */
function place(): StorageBackend {
  const texts = new Map<string, SharedText>();
  return {
    async open(namespace) {
      const text = texts.get(namespace) ?? sharedText();
      texts.set(namespace, text);
      return sharedTextStorage(text);
    },
    async destroy() {
      texts.clear();
    },
  };
}

describe('sharedTextStorage', () => {
  storageSuite({ test }, place);
  recordSuite({ test }, place);
  threadSuite({ test }, place);
});
