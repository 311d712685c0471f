import type { Answer } from './disk.ts';

/** Waits until all of it is over, and then fails with what failed first, so that nothing goes on unseen. */
export async function together(work: readonly Answer<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) if (outcome.status === 'rejected') throw outcome.reason;
}
