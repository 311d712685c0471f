import { expect, it } from 'vitest';
import { allocatedBytes } from './allocations.ts';

it.each([1, 3])('counts what is allocated and dropped at once: %i MB', async (megabytes) => {
  let kept: unknown;
  const bytes = await allocatedBytes(async () => {
    for (let count = 0; count < megabytes * 1_000; count++) kept = Array.from({ length: 125 }, () => count);
  });
  expect(kept).toHaveLength(125);
  expect(bytes / 1_000_000).toBeGreaterThan(megabytes * 0.8);
  expect(bytes / 1_000_000).toBeLessThan(megabytes * 4); // `Array.from` allocates more than its result
});
