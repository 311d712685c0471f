import { UtensilError } from '../base/errors.ts';

/** Maximum time that an aborted run waits for its thread, in milliseconds. */
const patienceMs = 1_000;

/**
 * Waits for thread I/O; after an abort, at most one more second.
 *
 * @throws `aborted`
 */
export function bounded<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onAbort = (): void => {
      timer = setTimeout(() => reject(unanswered(signal.reason)), patienceMs);
    };
    const leave = (): void => {
      signal.removeEventListener('abort', onAbort);
      clearTimeout(timer);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
    work.then(resolve, reject).finally(leave);
  });
}

function unanswered(cause: unknown): UtensilError {
  return new UtensilError('aborted', 'The run was aborted while its thread was not responding.', { cause });
}
