/** In milliseconds. Platforms fire longer timers at once. */
export const longestTimer = 2 ** 31 - 1;

/** Work took longer than its time limit. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** Result of a promise. Rejects with `TooSlow` after `mostMs` milliseconds, or with the reason of the signal. */
export async function withinTime<Result>(work: Promise<Result>, mostMs: number, signal?: AbortSignal): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop: () => void = () => undefined;
  const over = new Promise<never>((_, reject) => {
    stop = () => reject(signal?.reason);
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop);
    const late = new TooSlow(`it did not start within ${mostMs / 1000} s`);
    timer = setTimeout(() => reject(late), Math.min(mostMs, longestTimer));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
