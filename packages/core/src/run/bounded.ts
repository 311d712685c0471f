/** How long an aborted run waits for its thread, in milliseconds. */
const patienceMs = 1_000;

/**
 * Some work of the thread's. After the signal has fired it is waited for a second longer and no more: a run that is
 * aborted ends, whatever its thread does. Throws the signal's reason then.
 */
export async function bounded<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let giveUp: (reason: unknown) => void = () => undefined;
  const givenUp = new Promise<never>((_, reject) => (giveUp = reject));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onAbort = (): void => {
    timer = setTimeout(() => giveUp(signal.reason), patienceMs);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }
}
