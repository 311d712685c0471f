import type { WireSettings } from '@utensil/core/provider';

/** Settings that servers take which speak Chat Completions, whichever model they have. */
export function compatibleSettings(modelId: string, seed = 'seed'): WireSettings {
  return {
    temperature: { to: (temperature) => ({ temperature }) },
    topP: { to: (topP) => ({ top_p: topP }) },
    stop: { to: (texts) => ({ stop: texts }) },
    seed: { to: (value) => ({ [seed]: value }) },
    responseFormat: { to: async (format) => (await import('../schema-code.ts')).chatFormat(format, modelId) },
  };
}
