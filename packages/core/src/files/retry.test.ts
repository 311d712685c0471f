import * as fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { pauseBefore, retry } from './retry.ts';

afterEach(() => vi.useRealTimers());

it('tries again at once, and then after pauses of up to a second, twice as long each time', () => {
  const longest = Array.from({ length: 14 }, (_, number) => pauseBefore(number, () => 1));
  expect(longest).toEqual([0, 0, 4, 8, 16, 32, 64, 128, 256, 512, 1000, 1000, 1000, 1000]);
});

it('draws each pause again from the whole of its range, so that writers part', () => {
  const pause = fc.property(
    fc.nat(63),
    fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    (number, chance) => {
      expect(pauseBefore(number, () => chance)).toBeCloseTo(chance * pauseBefore(number, () => 1));
    },
  );
  fc.assert(pause);
  expect(new Set(Array.from({ length: 20 }, () => pauseBefore(9))).size).toBeGreaterThan(15);
});

it('takes as many attempts as it says, however long each of them is', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  let attempts = 0;
  const result = retry('/a', async (number) => {
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    return ++attempts === 64 ? { result: number } : undefined;
  });
  await vi.runAllTimersAsync();
  expect(await result).toBe(63);
});
