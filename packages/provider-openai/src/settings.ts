import type { JsonSchema, ResponseFormat, ServiceTier } from '@utensil/core';
import type { WireSettings } from '@utensil/core/provider';

/** Settings that the Responses API takes of a model. */
export function responsesSettings(modelId: string): WireSettings {
  return {
    ...samplingOf(modelId),
    responseFormat: { to: async (format) => ({ text: { format: await flatFormat(format, modelId) } }) },
    serviceTier: { to: toTier },
  };
}

/** Settings that the Chat Completions API takes of a model. */
export function chatSettings(modelId: string): WireSettings {
  return {
    ...samplingOf(modelId),
    ...(!/^(?:ft:)?o\d|^gpt-5/.test(modelId) && { stop: { to: (texts) => ({ stop: texts }) } }),
    seed: { to: (seed) => ({ seed }) },
    responseFormat: { to: async (format) => ({ response_format: await chatFormat(format, modelId) }) },
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

interface NamedSchema {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly strict: boolean;
}

async function flatFormat(format: ResponseFormat, modelId: string): Promise<object> {
  if (format === 'json') return { type: 'json_object' };
  return { type: 'json_schema', ...(await namedSchema(format, modelId)) };
}

/** The same, as Chat Completions has it. */
export async function chatFormat(format: ResponseFormat, modelId: string): Promise<object> {
  if (format === 'json') return { type: 'json_object' };
  return { type: 'json_schema', json_schema: await namedSchema(format, modelId) };
}

/** Strict where that changes no value: a property that may be left out would be `null`. */
async function namedSchema(
  { schema, name = 'answer' }: Exclude<ResponseFormat, 'json'>,
  modelId: string,
): Promise<NamedSchema> {
  const { outputSchema } = await import('./strict.ts');
  const strict = outputSchema(schema, modelId);
  return { name, schema: strict ?? schema, strict: strict !== undefined };
}
