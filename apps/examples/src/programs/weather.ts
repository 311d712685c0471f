// The weather at a place, from Open-Meteo: a tool that fetches, and needs no key.

import { createRegistry, defineTool, emptySettings, resolveToolset, run, host } from '@utensil/core';
import { guardedFetch } from '@utensil/guarded-fetch/node';
import assert from 'node:assert/strict';
import * as z from 'zod';
import { modelOr } from '../model.ts';
import { show } from '../show.ts';

const { origin, host: server } = new URL(process.argv[2] ?? 'https://api.open-meteo.com');
const answer = z.object({ current: z.object({ temperature_2m: z.number(), wind_speed_10m: z.number() }) });

const weather = defineTool({
  name: 'weather',
  description: 'The weather now at a place: degrees Celsius and km/h of wind.',
  input: z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }),
  effects: 'read',
  openWorld: true,
  requires: { fetch: host.fetch },
  render: { title: 'Weather at {latitude}, {longitude}' },
  execute: async ({ latitude, longitude }, _options, { host, signal }) => {
    const place = `latitude=${latitude}&longitude=${longitude}&current=temperature_2m,wind_speed_10m`;
    const response = await host.fetch(`${origin}/v1/forecast?${place}`, { signal });
    if (!response.ok) throw new Error(`Open-Meteo answered with status ${response.status}. Try again later.`);
    const { current } = answer.parse(await response.json());
    return { celsius: current.temperature_2m, wind: current.wind_speed_10m };
  },
});

// Only this one server can be reached, and a private one only if you name it.
const guarded = guardedFetch({ allowHosts: [server], ...(process.argv[2] && { allowPrivate: [server] }) });
const toolset = resolveToolset(createRegistry([weather]), emptySettings, { fetch: guarded });
const model = modelOr([
  { calls: [{ name: 'weather', input: { latitude: 52.52, longitude: 13.41 } }] },
  { text: 'That is the weather in Berlin.' },
]);
const { messages } = await show(run({ model, toolset, messages: 'How warm is it in Berlin?' }));
const [result] = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'));
console.log(result?.output);
assert.equal(result?.isError ?? false, false);
