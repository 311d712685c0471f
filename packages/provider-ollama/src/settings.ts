import type { WireSettings } from '@utensil/core/provider';

/** Settings that `/api/chat` takes. */
export const settings: WireSettings = {
  temperature: { to: (temperature) => ({ options: { temperature } }) },
  topP: { to: (topP) => ({ options: { top_p: topP } }) },
  stop: { to: (stop) => ({ options: { stop } }) },
  seed: { to: (seed) => ({ options: { seed } }) },
  responseFormat: { to: (format) => ({ format: format === 'json' ? 'json' : format.schema }) },
};
