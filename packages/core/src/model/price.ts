import type { ModelPrice, TokenPrices } from './model.ts';
import type { Usage } from './usage.ts';

/** Cost of a turn in US dollars. */
export function costOf(usage: Usage, price: ModelPrice): number {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, audioInputTokens: audio = 0 } = usage;
  const { input, output, cacheRead = input, cacheWrite = input, audioInput = input } = pricesFor(inputTokens, price);
  const plain = Math.max(inputTokens - cacheReadTokens - cacheWriteTokens, 0);
  const perMillion =
    plain * input +
    cacheReadTokens * cacheRead +
    cacheWriteTokens * cacheWrite +
    audio * Math.max(audioInput - input, 0) + // additional: these tokens are already counted above
    outputTokens * output;
  return perMillion / 1_000_000;
}

function pricesFor(inputTokens: number, price: ModelPrice): TokenPrices {
  let found: TokenPrices = price;
  let above = -1;
  for (const tier of price.tiers ?? []) {
    if (inputTokens <= tier.above || tier.above <= above) continue;
    found = tier;
    ({ above } = tier);
  }
  return found;
}

/** True if each price is a number from 0. Any other value would yield a cost that never reaches a limit. */
export function isPrice(price: ModelPrice): boolean {
  return [price, ...(price.tiers ?? [])].every(({ input, output, cacheRead = 0, cacheWrite = 0, audioInput = 0 }) =>
    [input, output, cacheRead, cacheWrite, audioInput].every((each) => each >= 0 && each < Infinity),
  );
}
