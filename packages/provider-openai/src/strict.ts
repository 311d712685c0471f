import type { FunctionDefinition, JsonSchema } from '@utensil/core';
import { type Chosen, isChosen } from '@utensil/core/provider';
import { type StrictDialect, type StrictSchema, strictSchema } from '@utensil/core/provider/strict';

/** Strict schema of a tool; undefined if strict mode is off for it, or impossible. */
export type SchemaOf = (tool: FunctionDefinition) => StrictSchema['schema'] | undefined;

const keywords: ReadonlySet<string> = new Set([
  ...['pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]);

const formats: ReadonlySet<unknown> = new Set([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
]);

/** https://developers.openai.com/api/docs/guides/structured-outputs: a model that was fine-tuned enforces types only. */
function dialectOf(modelId: string): StrictDialect {
  const enforces = !modelId.startsWith('ft:');
  return {
    requiresAll: true,
    takesRecursion: true,
    takes: (keyword, value) => enforces && (keyword === 'format' ? formats.has(value) : keywords.has(keyword)),
  };
}

/**
 * A schema for answers in strict mode; undefined if that is impossible, or would make a property `null` that may only
 * be left out.
 */
export function outputSchema(schema: JsonSchema, modelId: string): JsonSchema | undefined {
  const lowered = schema['type'] === 'object' ? strictSchema(schema, dialectOf(modelId)) : undefined;
  return lowered?.optional === 0 ? lowered.schema : undefined;
}

/** Limits of one schema. */
const limits = { properties: 5_000, depth: 10 };

/** Gives strict tools their schema; undefined for any other tool, and for a schema that strict mode cannot express. */
export function strictSchemas(modelId: string, chosen: Chosen): SchemaOf {
  const dialect = dialectOf(modelId);
  return function schemaOf(tool) {
    const lowered = isChosen(tool, chosen) ? strictSchema(tool.inputSchema, dialect) : undefined;
    if (lowered === undefined || lowered.properties > limits.properties || lowered.depth > limits.depth)
      return undefined;
    return lowered.schema;
  };
}
