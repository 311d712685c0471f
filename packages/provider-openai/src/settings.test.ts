import type { ModelRequest } from '@utensil/core';
import { takenBy, withSettings } from '@utensil/core/provider';
import { describe, expect, it } from 'vitest';
import { openaiCompatible } from './compatible/index.ts';
import { compatibleSettings } from './compatible/settings.ts';
import { chatSettings, responsesSettings } from './settings.ts';

const bare: ModelRequest = { system: '', messages: [], tools: [], toolChoice: 'auto' };
const all: ModelRequest = { ...bare, temperature: 0, topP: 0.5, stop: ['END'], seed: 7, serviceTier: 'standard' };
const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const strict = { name: 'answer', schema: { ...city, additionalProperties: false }, strict: true };

describe('Responses', () => {
  it('has sampling of models that do not reason, and no end and no seed', async () => {
    const body = { temperature: 0, top_p: 0.5, service_tier: 'default' };
    expect(await withSettings({}, responsesSettings('gpt-4.1'), all)).toEqual(body);
    expect(await withSettings({}, responsesSettings('gpt-5.6'), { ...all, reasoning: 'none' })).toEqual(body);
    expect(await withSettings({}, responsesSettings('gpt-5.6'), all)).toEqual({ service_tier: 'default' });
    expect(takenBy(responsesSettings('o3'))).toEqual({ responseFormat: true, serviceTier: true });
  });

  it('has the format of answers in addition to their verbosity', async () => {
    const asked = { ...bare, responseFormat: { schema: city } };
    expect(await withSettings({ text: { verbosity: 'low' } }, responsesSettings('gpt-5.6'), asked)).toEqual({
      text: { verbosity: 'low', format: { type: 'json_schema', ...strict } },
    });
    expect(await withSettings({}, responsesSettings('gpt-5.6'), { ...bare, responseFormat: 'json' })).toEqual({
      text: { format: { type: 'json_object' } },
    });
  });
});

describe('Chat Completions', () => {
  it('has all of them for models that do not reason', async () => {
    const sampling = { temperature: 0, top_p: 0.5, stop: ['END'] };
    const rest = { seed: 7, service_tier: 'default' };
    expect(await withSettings({}, chatSettings('gpt-4.1'), all)).toEqual({ ...sampling, ...rest });
    expect(await withSettings({}, chatSettings('o3'), all)).toEqual(rest);
  });

  it.each<[string, object, object]>([
    ['strict where that changes no value', city, strict],
    [
      'as it is where a property may be left out',
      { ...city, required: [] },
      { schema: { ...city, required: [] }, strict: false },
    ],
    ['as it is where it is no object', { type: 'array' }, { schema: { type: 'array' }, strict: false }],
  ])('has a schema %s', async (_, schema, sent) => {
    const asked = { ...bare, responseFormat: { schema: schema as typeof city } };
    expect(await withSettings({}, chatSettings('gpt-4.1'), asked)).toEqual({
      response_format: { type: 'json_schema', json_schema: { name: 'answer', ...sent } },
    });
  });
});

it('compatible servers have all but a tier, whatever their models are called', async () => {
  const body = { temperature: 0, top_p: 0.5, stop: ['END'], seed: 7 };
  expect(await withSettings({}, compatibleSettings('gpt-5-clone'), all)).toEqual(body);
  const { info } = openaiCompatible({ baseURL: 'https://api.mistral.ai/v1', model: 'm' });
  expect(info.supports?.settings?.seed).toBe(true);
  expect(await withSettings({}, compatibleSettings('m', 'random_seed'), { ...bare, seed: 7 })).toEqual({
    random_seed: 7,
  });
});
