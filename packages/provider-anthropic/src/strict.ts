import type { FunctionDefinition, JsonObject } from '@utensil/core';
import { type StrictDialect, type StrictSchema, strictSchema } from '@utensil/core/provider/strict';

const formats: ReadonlySet<unknown> = new Set([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
]);

/** https://platform.claude.com/docs/en/build-with-claude/structured-outputs */
const dialect: StrictDialect = {
  requiresAll: false,
  takesRecursion: false,
  takes(keyword, value) {
    if (keyword === 'default') return true;
    if (keyword === 'format') return formats.has(value);
    if (keyword === 'minItems') return value === 0 || value === 1;
    return keyword === 'pattern' && isSimple(String(value));
  },
};

/** Without looking around, looking back, and boundaries of words. */
function isSimple(pattern: string): boolean {
  return !/\(\?(?!:)|\\[1-9bBk]/.test(pattern);
}

/** A schema for answers, lowered as for a strict tool if that is possible. The root need not be an object. */
export function outputSchema(schema: JsonObject): JsonObject {
  return schema['type'] === 'object' ? (strictSchema(schema, dialect)?.schema ?? schema) : schema;
}

/** Totals over all strict tools of a request. */
const limits = { tools: 20, optional: 24, unions: 16 };

/** Gives tools their strict schema, for as many as the API takes in one request. */
export function strictSchemas(): (tool: FunctionDefinition) => StrictSchema['schema'] | undefined {
  let left = limits;
  return function next({ inputSchema }) {
    if (left.tools === 0) return undefined;
    const lowered = strictSchema(inputSchema, dialect);
    if (lowered === undefined || lowered.optional > left.optional || lowered.unions > left.unions) return undefined;
    left = {
      tools: left.tools - 1,
      optional: left.optional - lowered.optional,
      unions: left.unions - lowered.unions,
    };
    return lowered.schema;
  };
}
