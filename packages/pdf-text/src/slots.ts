/** One of the slots for documents that are read at the same time. */
export interface Slot {
  release(): void;
}

/** Each document may take some hundreds of megabytes, and models call several tools at once. */
const most = 2;

let taken = 0;
const waiting = new Set<() => void>();

/** Waits for a free slot, first come, first served. Rejects with the reason of the signal. */
export async function acquireSlot(signal?: AbortSignal): Promise<Slot> {
  signal?.throwIfAborted();
  if (taken < most) taken++;
  else {
    await new Promise<void>((resolve, reject) => {
      const settle = (give: () => void): void => {
        waiting.delete(next);
        signal?.removeEventListener('abort', abort);
        give();
      };
      const next = (): void => settle(resolve);
      const abort = (): void => settle(() => reject(signal?.reason as Error));
      waiting.add(next);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }
  return { release };
}

function release(): void {
  const [next] = waiting;
  if (next === undefined) taken--;
  else next(); // takes over the slot
}
