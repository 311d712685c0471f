import { vi } from 'vitest';

/** Runs some work in which waits of a second or more end after 100 ms: what is waited for here never comes. */
export async function withShortWaits<Result>(work: () => Promise<Result>): Promise<Result> {
  const wait = globalThis.setTimeout;
  const shortened = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((then: () => void, ms = 0) => wait(then, ms < 1_000 ? ms : 100));
  try {
    return await work();
  } finally {
    shortened.mockRestore();
  }
}
