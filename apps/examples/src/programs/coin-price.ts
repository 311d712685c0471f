// The price of a coin, from CoinGecko: what a server sends is checked before a model reads it.

import { createRegistry, defineTool, emptySettings, resolveToolset, run, host } from '@utensil/core';
import { guardedFetch } from '@utensil/guarded-fetch/node';
import assert from 'node:assert/strict';
import * as z from 'zod';
import { modelOr } from '../model.ts';
import { show } from '../show.ts';

const { origin, host: server } = new URL(process.argv[2] ?? 'https://api.coingecko.com');
const answer = z.record(z.string(), z.record(z.string(), z.number()));

const coinPrice = defineTool({
  name: 'coingecko_price',
  description: 'The price of a coin. It is named as CoinGecko does: bitcoin, ethereum.',
  input: z.object({ coin: z.string(), currency: z.string().length(3).default('usd') }),
  effects: 'read',
  openWorld: true,
  requires: { fetch: host.fetch },
  render: { title: 'Price of {coin}' },
  execute: async ({ coin, currency }, _options, { host, signal }) => {
    const asked = new URLSearchParams({ ids: coin, vs_currencies: currency });
    const response = await host.fetch(`${origin}/api/v3/simple/price?${asked}`, { signal });
    if (!response.ok) throw new Error(`CoinGecko answered with status ${response.status}. Try again later.`);
    const price = answer.parse(await response.json())[coin]?.[currency];
    if (price === undefined) throw new Error(`CoinGecko knows no price of "${coin}" in "${currency}".`);
    return { coin, currency, price };
  },
});

const guarded = guardedFetch({ allowHosts: [server], ...(process.argv[2] && { allowPrivate: [server] }) });
const toolset = resolveToolset(createRegistry([coinPrice]), emptySettings, { fetch: guarded });
const model = modelOr([
  { calls: [{ name: 'coingecko_price', input: { coin: 'bitcoin' } }] },
  { text: 'That is the price of a bitcoin.' },
]);
const { messages } = await show(run({ model, toolset, messages: 'What does a bitcoin cost in US dollars?' }));
const [result] = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'));
console.log(result?.output);
assert.equal(result?.isError ?? false, false);
