import { vi } from 'vitest';

/** Runs some work in which each wait of a second or more takes a tenth: what is waited for here never comes. */
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
