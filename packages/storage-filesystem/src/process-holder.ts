import type { Holder } from '@utensil/core';
import { hasEnded, ownName } from './owner.ts';

/**
 * Creates a holder that claims threads for this process. Another process on the machine can resume a thread as soon as
 * this one has ended for any reason.
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
