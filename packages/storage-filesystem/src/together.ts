import type { Answer } from './file-system.ts';

/** True for a value that is still pending. */
export function isLater<Value>(answer: Answer<Value>): answer is Promise<Value> {
  return answer instanceof Promise;
}

/** Waits until everything has settled, then throws the first error, so that nothing continues unobserved. */
export async function together<Value>(work: readonly Answer<Value>[]): Promise<readonly Value[]> {
  if (!work.some(isLater)) return work as readonly Value[];
  return (await Promise.allSettled(work)).map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
