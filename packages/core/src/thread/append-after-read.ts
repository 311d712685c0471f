import { isUtensilError } from '../base/errors.ts';
import type { ThreadEntry } from './entry.ts';
import type { Thread, ThreadPage } from './thread.ts';

/**
 * Reads a thread, and appends the entry that follows from it. If another writer was faster, that starts over. Without
 * an entry, nothing is appended, and the result is false.
 */
export async function appendAfterRead(
  thread: Pick<Thread, 'read' | 'append'>,
  entryAfter: (page: ThreadPage) => ThreadEntry | undefined | Promise<ThreadEntry | undefined>,
): Promise<boolean> {
  for (let before = -1; ;) {
    const page = await thread.read();
    const entry = await entryAfter(page);
    if (entry === undefined) return false;
    try {
      await thread.append([entry], { ifLast: page.last });
      return true;
    } catch (error) {
      if (!isUtensilError(error, 'thread_changed') || page.last === before) throw error;
      before = page.last;
    }
  }
}
