import { isUtensilError } from '../base/errors.ts';
import type { ThreadEntry } from './entry.ts';
import type { Thread, ThreadPage } from './thread.ts';

/**
 * Reads a thread and appends the entry computed from it. Starts over if another writer appended in the meantime. Returns
 * false, and appends nothing, if there is no entry.
 */
export async function appendAfterRead(
  thread: Pick<Thread, 'read' | 'append'>,
  entryFor: (page: ThreadPage) => ThreadEntry | undefined | Promise<ThreadEntry | undefined>,
): Promise<boolean> {
  for (let before = -1; ;) {
    const page = await thread.read();
    const entry = await entryFor(page);
    if (entry === undefined) return false;
    try {
      await thread.append([entry], { ifLast: page.last });
      return true;
    } catch (error) {
      if (!isUtensilError(error, 'thread_changed') || page.last === before) throw error; // nothing new: it would loop
      before = page.last;
    }
  }
}
