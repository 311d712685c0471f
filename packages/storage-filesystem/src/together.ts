import type { Answer } from './disk.ts';

/** Waits until all of it is over, and then fails with what failed first, so that nothing goes on unseen. */
export async function together<Value>(work: readonly Answer<Value>[]): Promise<readonly Value[]> {
  return (await Promise.allSettled(work)).map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
