import type { ServiceTier } from '@utensil/core';
import type { WireSettings } from '@utensil/core/provider';

/** Settings that the Responses API takes of a model. */
export function responsesSettings(modelId: string): WireSettings {
  return {
    ...samplingOf(modelId),
    responseFormat: { to: async (format) => (await import('./schema-code.ts')).flatFormat(format, modelId) },
    serviceTier: { to: toTier },
  };
}

/** Settings that the Chat Completions API takes of a model. */
export function chatSettings(modelId: string): WireSettings {
  return {
    ...samplingOf(modelId),
    ...(!/^(?:ft:)?o\d|^gpt-5/.test(modelId) && { stop: { to: (texts) => ({ stop: texts }) } }),
    seed: { to: (seed) => ({ seed }) },
    responseFormat: { to: async (format) => (await import('./schema-code.ts')).chatFormat(format, modelId) },
    serviceTier: { to: toTier },
  };
}

/** Models that reason refuse to sample otherwise; from gpt-5.1 on they can leave reasoning. */
function samplingOf(modelId: string): WireSettings {
  const isEver = !/^(?:ft:)?(?:o\d|gpt-5)/.test(modelId);
  const leavesReasoning = /^(?:ft:)?gpt-5\./.test(modelId);
  if (!isEver && !leavesReasoning) return {};
  const takes = isEver ? true : 'no-reasoning';
  return {
    temperature: { takes, to: (temperature) => ({ temperature }) },
    topP: { takes, to: (topP) => ({ top_p: topP }) },
  };
}

function toTier(tier: ServiceTier): object {
  return { service_tier: tier === 'standard' ? 'default' : tier };
}
