import type { StorageDriver } from '../files/storage/driver.ts';
import { createRecords } from '../records/records.ts';
import { openThread } from '../thread/open-thread.ts';

/** A process with a thread: what it stores comes to an end with its life. */
export function mortalProcess(
  storage: StorageDriver,
  name: string,
  lasts: (commits: number) => 'before' | 'after' | undefined,
) {
  let commits = 0;
  let end = (): void => undefined;
  let isOver = false;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const never = new Promise<never>(() => undefined);
  const mortal: StorageDriver = {
    ...storage,
    async commit(given) {
      if (isOver) return never;
      const when = lasts(commits++);
      if (when === undefined) return storage.commit(given);
      isOver = true;
      if (when === 'after') await storage.commit(given);
      end();
      return never;
    },
  };
  const thread = openThread(createRecords(mortal), 't', { holder: { id: () => name, isAlive: (id) => id === name } });
  return { thread, ended, commits: () => commits };
}
