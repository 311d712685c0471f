import { expect, it } from 'vitest';
import { addUsage } from './add-usage.ts';
import { noUsage } from './usage.ts';

it('adds what was billed if either turn says it', () => {
  const cost = (a?: number, b?: number) =>
    addUsage(
      { ...noUsage, ...(a !== undefined && { cost: a }) },
      { ...noUsage, ...(b !== undefined && { cost: b }), inputTokens: 1 },
    );
  expect(cost()).toEqual({ ...noUsage, inputTokens: 1 });
  expect(cost(0.5)).toMatchObject({ cost: 0.5 });
  expect(cost(undefined, 0.25)).toMatchObject({ cost: 0.25 });
  expect(cost(0.5, 0.25)).toMatchObject({ cost: 0.75 });
});
