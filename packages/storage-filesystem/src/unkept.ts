import { together } from './together.ts';

// Commits that wait for the lock together wait for the disk together: each notes the directories in which it has changed
// names, and none is acknowledged before the disk has kept them. What is noted by its path must stay at it: so before a
// change that takes away or moves anything, and before one of several steps, what was noted is waited for.

/** Directories whose names the disk has yet to keep. */
export interface Unkept {
  add(directory: string): void;
  /** Waits until the disk keeps them all. Who comes after a failure is told of it too. */
  keep(): Promise<void>;
  /** The same, for the last time: who comes then begins anew. */
  end(): Promise<void>;
}

/** Nothing yet; `sync` makes the disk keep one directory. */
export function createUnkept(sync: (directory: string) => Promise<void>): Unkept {
  const directories = new Set<string>();
  let failure: { readonly error: unknown } | undefined;

  async function keep(): Promise<void> {
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
    keep,
    async end() {
      try {
        if (directories.size > 0 || failure !== undefined) await keep();
      } finally {
        failure = undefined;
      }
    },
  };
}
