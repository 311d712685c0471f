import type { Holder } from '@utensil/core';
import { hasEnded, ownName } from './owner.ts';

/**
 * This process, as a holder of claims on threads: another process of the machine goes on with a thread as soon as this one
 * has ended, however it ends.
 *
 * @example
 * ```ts
 * import { createRecords, openThread } from '@utensil/core';
 * import { filesystemStorage, processHolder } from '@utensil/storage-filesystem';
 *
 * const thread = openThread(createRecords(filesystemStorage('project')), 'first', { holder: processHolder() });
 * ```
 */
export function processHolder(): Holder {
  return {
    id: ownName,
    async isAlive(id) {
      const ended = await hasEnded(id);
      return ended === undefined ? undefined : !ended;
    },
  };
}
