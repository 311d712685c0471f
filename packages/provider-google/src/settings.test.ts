import type { ModelRequest } from '@utensil/core';
import { withSettings } from '@utensil/core/provider';
import { expect, it } from 'vitest';
import { generateSettings, interactionsSettings } from './settings.ts';

const asked: ModelRequest = {
  ...{ system: '', messages: [], tools: [], toolChoice: 'auto' },
  ...{ temperature: 0, topP: 0.5, stop: ['END'], seed: 7, serviceTier: 'flex' },
  responseFormat: { schema: { type: 'string', const: 'yes' } },
};

it('generateContent has settings in its generationConfig, where others stay', async () => {
  const body = { generationConfig: { maxOutputTokens: 9, temperature: 1 } };
  expect(await withSettings(body, generateSettings, asked)).toEqual({
    generationConfig: {
      ...{ maxOutputTokens: 9, temperature: 1, topP: 0.5, stopSequences: ['END'], seed: 7 },
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'string', enum: ['yes'] },
    },
    serviceTier: 'flex',
  });
  expect(await withSettings({}, generateSettings, { ...asked, responseFormat: 'json' })).toMatchObject({
    generationConfig: { responseMimeType: 'application/json' },
  });
});

it('the Interactions API has them in its own words', async () => {
  expect(await withSettings({}, interactionsSettings, asked)).toEqual({
    generation_config: { temperature: 0, top_p: 0.5, stop_sequences: ['END'], seed: 7 },
    response_format: { type: 'text', mime_type: 'application/json', schema: { type: 'string', enum: ['yes'] } },
    service_tier: 'flex',
  });
});
