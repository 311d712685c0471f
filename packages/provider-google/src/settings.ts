import type { ResponseFormat, ServiceTier } from '@utensil/core';
import type { WireSettings } from '@utensil/core/provider';
import { lowerSchema } from './schema.ts';

const tiers: readonly ServiceTier[] = ['standard', 'flex', 'priority'];

/** Settings that generateContent takes. */
export const generateSettings: WireSettings = {
  temperature: { to: (temperature) => ({ generationConfig: { temperature } }) },
  topP: { to: (topP) => ({ generationConfig: { topP } }) },
  stop: { to: (stopSequences) => ({ generationConfig: { stopSequences } }) },
  seed: { to: (seed) => ({ generationConfig: { seed } }) },
  responseFormat: {
    to: (format) => ({
      generationConfig: {
        responseMimeType: 'application/json',
        ...(format !== 'json' && { responseJsonSchema: lowerSchema(format.schema) }),
      },
    }),
  },
  serviceTier: { takes: tiers, to: (serviceTier) => ({ serviceTier }) },
};

/** Settings that the Interactions API takes. */
export const interactionsSettings: WireSettings = {
  temperature: { to: (temperature) => ({ generation_config: { temperature } }) },
  topP: { to: (topP) => ({ generation_config: { top_p: topP } }) },
  stop: { to: (texts) => ({ generation_config: { stop_sequences: texts } }) },
  seed: { to: (seed) => ({ generation_config: { seed } }) },
  responseFormat: { to: (format) => ({ response_format: toFormat(format) }) },
  serviceTier: { takes: tiers, to: (tier) => ({ service_tier: tier }) },
};

function toFormat(format: ResponseFormat): object {
  const text = { type: 'text', mime_type: 'application/json' };
  return format === 'json' ? text : { ...text, schema: lowerSchema(format.schema) };
}
