import type { WireSettings } from '@utensil/core/provider';

/** Settings that a prompt takes. Pages cannot choose the temperature, and the API has no field for the others. */
export const settings: WireSettings = {
  responseFormat: {
    takes: ['schema'],
    to: (format) => (typeof format === 'object' ? { responseConstraint: format.schema } : {}),
  },
};
