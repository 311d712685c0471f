import type { WireSettings } from '@utensil/core/provider';

/** Settings that the Messages API takes. It has had no sampling parameters since the version of 2026-10-21. */
export const settings: WireSettings = {
  stop: { to: (texts) => ({ stop_sequences: texts }) },
  responseFormat: {
    takes: ['schema'],
    async to(format) {
      const { outputSchema } = await import('./strict.ts');
      const schema = format === 'json' ? {} : outputSchema(format.schema);
      return { output_config: { format: { type: 'json_schema', schema } } };
    },
  },
  serviceTier: {
    takes: ['auto', 'standard'],
    to: (tier) => ({ service_tier: tier === 'auto' ? 'auto' : 'standard_only' }),
  },
};
