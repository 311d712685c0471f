import { expect, it } from 'vitest';
import { addUsage } from './add-usage.ts';
import { costOf, isPrice } from './price.ts';
import { noUsage } from './usage.ts';

const usage = { ...noUsage, inputTokens: 1_000_000, outputTokens: 100_000 };

it('prices reads and writes of the cache and recordings as any input where the price does not tell', () => {
  const counted = { ...usage, cacheReadTokens: 300_000, cacheWriteTokens: 200_000, audioInputTokens: 100_000 };
  expect(costOf(counted, { input: 2, output: 10 })).toBeCloseTo(2 + 1, 10);
  expect(costOf(counted, { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, audioInput: 5 })).toBeCloseTo(
    0.5 * 2 + 0.3 * 0.2 + 0.2 * 2.5 + 0.1 * 3 + 1,
    10,
  );
});

it('prices the whole turn by the last tier that its input exceeds, in whatever order they are', () => {
  const tiers = [
    { above: 500_000, input: 4, output: 20 },
    { above: 200_000, input: 3, output: 15 },
  ];
  const cost = (inputTokens: number) => costOf({ ...usage, inputTokens }, { input: 2, output: 10, tiers });
  expect([200_000, 200_001, 500_001].map(cost).map((each) => Number(each.toFixed(4)))).toEqual([1.4, 2.1, 4]);
});

it('never makes a negative cost of counts that contradict each other', () => {
  expect(costOf({ ...noUsage, cacheReadTokens: 10 }, { input: 5, output: 1, cacheRead: 0 })).toBe(0);
});

it('knows numbers that are not prices', () => {
  for (const wrong of [Number.NaN, -1, Infinity]) {
    expect(isPrice({ input: wrong, output: 1 })).toBe(false);
    expect(isPrice({ input: 1, output: 1, cacheWrite: wrong })).toBe(false);
    expect(isPrice({ input: 1, output: 1, tiers: [{ above: 1, input: 1, output: wrong }] })).toBe(false);
  }
  expect(isPrice({ input: 0, output: 0 })).toBe(true);
});

it('sums what was recorded', () => {
  const spoken = { ...usage, audioInputTokens: 5 };
  expect(addUsage(addUsage(spoken, usage), spoken).audioInputTokens).toBe(10);
  expect(addUsage(usage, usage)).not.toHaveProperty('audioInputTokens');
});
