import { expect, it } from 'vitest';
import { retryAfter } from './response-error.ts';

it.each([
  [{}, undefined],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '2' }, 2_000],
  [{ 'retry-after': '2', 'retry-after-ms': '150' }, 150],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after-ms': 'soon', 'retry-after': '1' }, 1_000],
])('is read from the headers %o', (headers: object, expected) => {
  expect(retryAfter(new Headers({ ...headers }))).toBe(expected);
});

it('may be a date', () => {
  const at = (time: number) => retryAfter(new Headers({ 'retry-after': new Date(time).toUTCString() })) ?? Number.NaN;
  expect(at(Date.now() + 3_600_000)).toBeGreaterThan(3_000_000);
  expect(at(Date.now() - 3_600_000)).toBeLessThan(0);
});
