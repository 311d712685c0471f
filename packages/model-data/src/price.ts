import type { ConditionalPrice, ModelPrice as CatalogPrice, TieredPrices } from '@pydantic/genai-prices';
import type { ModelPrice, TokenPrices } from '@utensil/core';

/** An announced price applies this many milliseconds early, because a model object may be used for days. */
const ahead = 7 * 24 * 60 * 60 * 1_000;

type Kind = keyof TokenPrices;

/** Catalog fields of each price. If there are several, the highest applies, because nothing tells the tokens apart. */
const sources: Readonly<Record<Kind, readonly string[]>> = {
  input: ['input_mtok', 'input_image_mtok', 'input_video_mtok'],
  output: ['output_mtok', 'output_audio_mtok', 'output_image_mtok', 'output_video_mtok', 'output_reasoning_mtok'],
  cacheRead: ['cache_read_mtok', 'cache_image_read_mtok'],
  cacheWrite: ['cache_write_mtok'],
  audioInput: ['input_audio_mtok'],
};

/** Catalog fields that we ignore: the vendor's own tools, and caches that our providers never request. */
const leftOut = ['web_searches_kcount', 'storage_searches_kcount', 'cache_write_1h_mtok', 'cache_audio_read_mtok'];

const known = new Set([...Object.values(sources).flat(), ...leftOut]);

/** The price at a time. Undefined if the catalog has further charges, because the sum would be too low. */
export function priceOf(prices: CatalogPrice | readonly ConditionalPrice[], now: number): ModelPrice | undefined {
  const candidates = 'length' in prices ? pricesAt(prices as readonly ConditionalPrice[], now) : [prices];
  if (candidates.some((each) => Object.keys(each).some((key) => !known.has(key)))) return undefined;
  return withTiers(candidates);
}

/** Prices that apply now, soon, or at some hour of the day. */
function pricesAt(prices: readonly ConditionalPrice[], now: number): readonly CatalogPrice[] {
  const dates = prices.map(({ constraint }) =>
    constraint?.type === 'start_date' ? Date.parse(constraint.start_date) : 0,
  );
  const current = Math.max(...dates.filter((date) => date <= now));
  return prices
    .filter((each, index) => {
      const date = dates[index] ?? 0;
      return each.constraint?.type === 'time_of_date' || (date >= current && date <= now + ahead);
    })
    .map((each) => each.prices);
}

function withTiers(candidates: readonly CatalogPrice[]): ModelPrice | undefined {
  const base = pricesAbove(candidates, 0);
  if (base === undefined) return undefined;
  const starts = candidates.flatMap((each) =>
    Object.values(each).flatMap((price) => tiersOf(price).map(({ start }) => start)),
  );
  const tiers = [...new Set(starts)]
    .toSorted((a, b) => a - b)
    .map((above) => ({ above, ...(pricesAbove(candidates, above + 1) ?? base) }));
  return tiers.length === 0 ? base : { ...base, tiers };
}

/** Prices of a turn with this many input tokens; undefined if the price of input or output is missing. */
function pricesAbove(candidates: readonly CatalogPrice[], tokens: number): TokenPrices | undefined {
  const found = Object.entries(sources).flatMap(([kind, keys]) => {
    const all = candidates.flatMap((each) => keys.flatMap((key) => priceAt(each[key], tokens) ?? []));
    return all.length === 0 ? [] : [[kind, Math.max(...all)] as const];
  });
  const { input, output, ...rest }: Partial<Record<Kind, number>> = Object.fromEntries(found);
  return input === undefined || output === undefined ? undefined : { input, output, ...rest };
}

function priceAt(price: number | TieredPrices | undefined, tokens: number): number | undefined {
  if (typeof price !== 'object') return price;
  return tiersOf(price).reduce((found, tier) => (tokens > tier.start ? tier.price : found), price.base);
}

function tiersOf(price: number | TieredPrices | undefined): TieredPrices['tiers'] {
  return typeof price === 'object' ? price.tiers : [];
}
