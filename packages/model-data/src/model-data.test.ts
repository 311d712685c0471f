import { calcPrice, findProvider } from '@pydantic/genai-prices';
import { describe, expect, it } from 'vitest';
import { modelData } from './model-data.ts';

const look = (vendor: string, id: string) => modelData({ api: 'any', vendor, id });

describe('models are found', () => {
  it.each([
    ['anthropic', 'claude-opus-5', 'claude-opus-5-20260701'],
    ['anthropic', 'claude-haiku-4-5', 'claude-haiku-4-5@20251001'],
    ['anthropic', 'claude-haiku-4-5', 'Claude-Haiku-4-5-latest'],
    ['openai', 'gpt-5.6', 'gpt-5.6-2026-08-01'],
    ['google', 'gemini-2.5-pro', 'models/gemini-2.5-pro'],
    ['google', 'gemini-2.5-pro', 'gemini-2.5-pro-preview-05-06'],
    ['openrouter', 'anthropic/claude-sonnet-4.5', 'anthropic/claude-sonnet-4.5:beta'],
  ])('of %s: %s under another id, %s', (vendor, id, other) => {
    expect(look(vendor, id)?.price?.input).toBeGreaterThan(0);
    expect(look(vendor, other)).toEqual(look(vendor, id));
  });

  it('with the price and the window of those that the demos propose', () => {
    for (const [vendor, id] of [
      ['anthropic', 'claude-sonnet-5-5'],
      ['anthropic', 'claude-opus-5'],
      ['openai', 'gpt-5.6'],
      ['openai', 'gpt-4.1'],
      ['google', 'gemini-3.8-flash'],
    ] as const) {
      const { contextWindow = 0, price } = look(vendor, id) ?? {};
      expect(contextWindow).toBeGreaterThan(100_000);
      expect(price?.output).toBeGreaterThan(price?.input ?? Infinity);
    }
  });

  it('by the address, which may belong to somebody else than the vendor', () => {
    const at = (baseURL: string, id: string, vendor?: string) =>
      modelData({ api: 'any', id, baseURL, ...(vendor && { vendor }) });
    expect(at('https://api.deepseek.com/v1', 'deepseek-chat')?.contextWindow).toBe(64_000);
    expect(at('https://llm.example.com', 'claude-opus-5', 'anthropic')).toEqual(look('anthropic', 'claude-opus-5'));
    const bedrock = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
    expect(at('https://bedrock-runtime.us-east-1.amazonaws.com', bedrock, 'anthropic')?.price?.input).toBeGreaterThan(
      3,
    );
    expect(at('https://bedrock-runtime.us-east-1.amazonaws.com', 'gpt-4.1', 'openai')).toBeUndefined();
    expect(at('http://127.0.0.1:1234/v1', 'gpt-4.1')).toBeUndefined();
  });

  it('of OpenRouter with the window of the vendor, if it has none itself', () => {
    expect(look('openrouter', 'openai/gpt-5.6')).toEqual({ contextWindow: 1_050_000 });
    expect(look('openrouter', 'anthropic/claude-sonnet-5.5:nitro')).toEqual({ contextWindow: 1_000_000 });
  });
});

it('unknown models have no data', () => {
  for (const id of [
    'claude-sonnet-6',
    'claude-opus-5-9',
    'claude-haiku-4-6',
    '',
    '../gpt-5.6',
    '__proto__',
    'x'.repeat(1e5),
  ])
    expect(look('anthropic', id)).toBeUndefined();
  for (const vendor of ['nobody', '', 'constructor']) expect(look(vendor, 'gpt-5.6')).toBeUndefined();
  expect(modelData({ api: 'openai-chat', id: 'gpt-5.6' })).toBeUndefined();
});

it('a newer version is not taken for the one whose id it begins with', () => {
  const taken = calcPrice({}, 'claude-sonnet-5-9', { providerId: 'anthropic' })?.model.id;
  expect(taken).toBe('claude-sonnet-5'); // otherwise the catalog was fixed, and this rule can be removed
  expect(look('anthropic', 'claude-sonnet-5-9')).toBeUndefined();
});

it.each([
  ['openai', 'gpt-5-nano', 'gpt-5-nano-pro'],
  ['anthropic', 'claude-haiku-4-5', 'claude-haiku-4-5-opus'],
  ['anthropic', 'claude-3-haiku', 'claude-3-haiku-opus-5'],
])('a more expensive model of %s had the price of %s: %s', (vendor, cheap, dear) => {
  expect(look(vendor, cheap)?.price).toBeDefined();
  expect(look(vendor, dear)).toBeUndefined();
});

it('every model of the catalog is found under its own id', () => {
  for (const vendor of ['anthropic', 'openai', 'google', 'mistral', 'deepseek', 'x-ai', 'groq']) {
    for (const { id } of findProvider({ providerId: vendor })?.models ?? []) {
      const { model } = calcPrice({}, id, { providerId: vendor }) ?? {};
      if (model === undefined || model.id !== id) continue;
      expect([id, look(vendor, id)]).toEqual([id, expect.anything()]);
    }
  }
});

it('no cost is lower than that of the catalog', () => {
  const counts = [
    { input_tokens: 9_000, output_tokens: 700, cache_read_tokens: 3_000, cache_write_tokens: 1_000 },
    { input_tokens: 900_000, output_tokens: 700, cache_read_tokens: 30_000, cache_write_tokens: 10_000 },
  ];
  let compared = 0;
  for (const vendor of ['anthropic', 'openai', 'google', 'openrouter', 'mistral', 'deepseek', 'x-ai', 'aws']) {
    for (const { id } of findProvider({ providerId: vendor })?.models ?? []) {
      const { price } = look(vendor, id) ?? {};
      if (price === undefined) continue;
      for (const usage of counts) {
        const theirs = calcPrice(usage, id, { providerId: vendor })?.total_price ?? 0;
        const tier = price.tiers?.findLast(({ above }) => usage.input_tokens > above) ?? price;
        const { input, output, cacheRead = input, cacheWrite = input } = tier;
        const plain = usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens;
        const ours =
          (plain * input +
            usage.cache_read_tokens * cacheRead +
            usage.cache_write_tokens * cacheWrite +
            usage.output_tokens * output) /
          1e6;
        expect(ours, `${vendor}: ${id}`).toBeGreaterThan(theirs * 0.999_999 - 1e-12);
        compared++;
      }
    }
  }
  expect(compared).toBeGreaterThan(500);
});
