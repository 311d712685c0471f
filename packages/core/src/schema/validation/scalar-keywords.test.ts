import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonSchema } from '../json-schema.ts';

async function isMultiple(value: number, multipleOf: number): Promise<boolean> {
  const { issues } = await jsonSchema({ multipleOf })['~standard'].validate(value);
  return issues === undefined;
}

it('a whole number of fifteen digits was a multiple of any other', async () => {
  const whole = fc.maxSafeInteger();
  const step = fc.integer({ min: 1, max: 10_000 });
  await fc.assert(
    fc.asyncProperty(whole, step, async (value, by) => {
      expect(await isMultiple(value, by)).toBe(BigInt(value) % BigInt(by) === 0n);
    }),
  );
});

it('a multiple is one in the digits that were written, whatever their number', async () => {
  const digits = fc.tuple(fc.integer({ min: -100_000, max: 100_000 }), fc.integer({ min: 1, max: 1_000 }));
  await fc.assert(
    fc.asyncProperty(digits, fc.integer({ min: 0, max: 18 }), async ([value, by], places) => {
      expect(await isMultiple(Number(`${value}e-${places}`), Number(`${by}e-${places}`))).toBe(value % by === 0);
    }),
  );
});

it.each([
  [0.3, 0.1, true],
  [-0, 3, true],
  [9_007_199_254_740_992, 3, false],
  [10000000000000.006, 0.01, false],
  [1e308, 0.5, true],
  [1e300, 1e-300, true],
  [5e-324, 1, false],
])('%d as a multiple of %d: %s', async (value, step, expected) => {
  expect(await isMultiple(value, step)).toBe(expected);
});
