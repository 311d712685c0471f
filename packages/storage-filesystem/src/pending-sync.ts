import { together } from './together.ts';

// Commits that wait for the lock together are synced together: each records the directories whose names it changed, and
// none is acknowledged before these are synced. A recorded path must stay valid, so pending directories are synced
// before a step that moves or removes an entry, and before a commit of several steps.

/** Directories to sync. */
export interface PendingSync {
  add(directory: string): void;
  /** Syncs them all. After a failure, every later call fails too. */
  flush(): Promise<void>;
  /** Syncs them for the last time; later calls start afresh. */
  end(): Promise<void>;
}

/** Creates an empty set; `sync` syncs one directory. */
export function createPendingSync(sync: (directory: string) => Promise<void>): PendingSync {
  const directories = new Set<string>();
  let failure: { readonly error: unknown } | undefined;

  async function flush(): Promise<void> {
    const all = [...directories];
    directories.clear();
    try {
      await together(all.map(sync));
    } catch (error) {
      failure ??= { error };
    }
    if (failure !== undefined) throw failure.error;
  }

  return {
    add: (directory) => void directories.add(directory),
    flush,
    async end() {
      try {
        if (directories.size > 0 || failure !== undefined) await flush();
      } finally {
        failure = undefined;
      }
    },
  };
}
