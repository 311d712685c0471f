import { UtensilError } from '../base/errors.ts';

/** Maximum time that an aborted run waits for its thread, in milliseconds. */
const patienceMs = 1_000;

/**
 * Waits for thread I/O; after an abort, at most one more second.
 *
 * @throws `aborted`
 */
export async function bounded<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let giveUp: (error: UtensilError) => void = () => undefined;
  const givenUp = new Promise<never>((_, reject) => (giveUp = reject));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onAbort = (): void => {
    timer = setTimeout(() => giveUp(unanswered(signal.reason)), patienceMs);
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

function unanswered(cause: unknown): UtensilError {
  return new UtensilError('aborted', 'The run was aborted while its thread did not answer.', { cause });
}
