import { expect, it } from 'vitest';
import { priceOf } from './price.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const at = (day: string, input: number) => ({
  constraint: { type: 'start_date', start_date: day } as const,
  prices: { input_mtok: input, output_mtok: 1 },
});
const first = { prices: { input_mtok: 3, output_mtok: 1 } };

it('takes the price that holds, and one that is announced a week before it rises', () => {
  expect(priceOf([first, at('2026-08-01', 2)], now)).toEqual({ input: 2, output: 1 });
  expect(priceOf([first, at('2026-08-01', 2), at('2027-01-01', 4)], now)).toEqual({ input: 2, output: 1 });
  expect(priceOf([first, at('2026-08-01', 2), at('2026-11-29', 4)], now)).toEqual({ input: 4, output: 1 });
  expect(priceOf([first, at('2026-08-01', 2), at('2026-11-29', 1)], now)).toEqual({ input: 2, output: 1 });
  expect(priceOf([first, at('2026-08-01', 2), at('2027-01-01', 4)], Date.parse('2027-01-01'))).toMatchObject({
    input: 4,
  });
});

it('takes the highest of a day', () => {
  const night = { constraint: { type: 'time_of_date', start_time: '16:30:00Z', end_time: '00:30:00Z' } as const };
  const low = { ...night, prices: { input_mtok: 1, output_mtok: 0.5 } };
  const high = { ...night, prices: { input_mtok: 9, output_mtok: 5 } };
  expect(priceOf([first, low], now)).toEqual({ input: 3, output: 1 });
  expect(priceOf([first, high], now)).toEqual({ input: 9, output: 5 });
});

it('takes the highest of the prices that one of our counts covers', () => {
  const prices = { input_mtok: 1, input_image_mtok: 2, output_mtok: 3, output_image_mtok: 30, input_audio_mtok: 7 };
  expect(priceOf(prices, now)).toEqual({ input: 2, output: 30, audioInput: 7 });
});

it('has a tier for each length at which any price changes', () => {
  const prices = {
    input_mtok: { base: 1, tiers: [{ start: 200, price: 2 }] },
    output_mtok: { base: 10, tiers: [{ start: 100, price: 20 }] },
    cache_read_mtok: 0.1,
  };
  expect(priceOf(prices, now)).toEqual({
    input: 1,
    output: 10,
    cacheRead: 0.1,
    tiers: [
      { above: 100, input: 1, output: 20, cacheRead: 0.1 },
      { above: 200, input: 2, output: 20, cacheRead: 0.1 },
    ],
  });
});

it('has none if the vendor bills what nobody counts, or one price is missing', () => {
  expect(priceOf({ input_mtok: 1, output_mtok: 1, requests_kcount: 12 }, now)).toBeUndefined();
  expect(priceOf({ input_mtok: 1, output_mtok: 1, a_unit_of_tomorrow: 12 }, now)).toBeUndefined();
  expect(priceOf({ input_mtok: 1 }, now)).toBeUndefined();
  expect(priceOf({ input_mtok: 1, output_mtok: 2, web_searches_kcount: 10 }, now)).toEqual({ input: 1, output: 2 });
});
