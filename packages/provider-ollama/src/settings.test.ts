import type { ModelRequest } from '@utensil/core';
import { withSettings } from '@utensil/core/provider';
import { expect, it } from 'vitest';
import { settings } from './settings.ts';

const bare: ModelRequest = { system: '', messages: [], tools: [], toolChoice: 'auto' };

it('has settings among the options of the model, and the form of answers beside them', async () => {
  const asked = { ...bare, temperature: 0, topP: 0.5, stop: ['END'], seed: 7, serviceTier: 'flex' } as const;
  expect(await withSettings({ options: { num_ctx: 9 } }, settings, { ...asked, responseFormat: 'json' })).toEqual({
    options: { num_ctx: 9, temperature: 0, top_p: 0.5, stop: ['END'], seed: 7 },
    format: 'json',
  });
  const schema = { type: 'object' };
  expect(await withSettings({}, settings, { ...bare, responseFormat: { schema } })).toEqual({ format: schema });
});
