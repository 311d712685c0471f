import type { ModelRequest } from '@utensil/core';
import { takenBy, withSettings } from '@utensil/core/provider';
import { expect, it } from 'vitest';
import { settings } from './settings.ts';

const bare: ModelRequest = { system: '', messages: [], tools: [], toolChoice: 'auto' };
const schema = { type: 'object', properties: { city: { type: 'string', minLength: 1 } }, required: ['city'] };
const bodyOf = (asked: Partial<ModelRequest>, body = {}) => withSettings(body, settings, { ...bare, ...asked });

it.each<[Partial<ModelRequest>, object]>([
  [{ stop: ['END'] }, { stop_sequences: ['END'] }],
  [{ serviceTier: 'auto' }, { service_tier: 'auto' }],
  [{ serviceTier: 'standard' }, { service_tier: 'standard_only' }],
  [{ serviceTier: 'flex', temperature: 1, topP: 1, seed: 1, responseFormat: 'json' }, {}],
])('says %j with %j', async (asked, body) => {
  expect(await bodyOf(asked)).toEqual(body);
});

it('has a schema of answers as the API enforces one, beside the effort', async () => {
  const city = { type: 'string', description: '{minLength: 1}' };
  const closed = { type: 'object', properties: { city }, required: ['city'], additionalProperties: false };
  expect(await bodyOf({ responseFormat: { schema } }, { output_config: { effort: 'low' } })).toEqual({
    output_config: { format: { type: 'json_schema', schema: closed }, effort: 'low' },
  });
  expect(await bodyOf({ responseFormat: { schema: { type: 'array' } } })).toMatchObject({
    output_config: { format: { schema: { type: 'array' } } },
  });
});

it('says what it takes', () => {
  expect(takenBy(settings)).toEqual({ stop: true, responseFormat: ['schema'], serviceTier: ['auto', 'standard'] });
});
