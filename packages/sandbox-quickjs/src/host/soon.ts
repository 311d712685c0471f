/** Milliseconds of the longest timer that platforms know; a longer one would fire at once. */
export const longestTimer = 2 ** 31 - 1;

/** Thrown for what took longer than it may. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** What a promise gives, unless it takes longer than some milliseconds, or the signal aborts. */
export async function soon<Result>(work: Promise<Result>, mostMs: number, signal?: AbortSignal): Promise<Result> {
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
