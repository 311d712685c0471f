import type { JsonObject, JsonSchema } from './json.ts';
import type { Issue, Schema } from './schema.ts';

/** Checks values against JSON Schema: what is wrong with a value, or nothing. */
export interface Validator {
  compile(schema: JsonSchema): Check | Promise<Check>;
}

/** A compiled schema: the issues of a value. */
export type Check = (value: unknown) => readonly Issue[];

/**
 * A schema from plain JSON Schema (draft 2020-12). It is checked by `@cfworker/json-schema`, loaded when the first value
 * is, or by a validator of yours.
 *
 * @example
 * ```ts
 * import { defineTool, jsonSchema } from '@utensil/core';
 *
 * const greet = defineTool({
 *   name: 'greet',
 *   description: 'Greets somebody.',
 *   input: jsonSchema<{ name: string }>({
 *     type: 'object',
 *     properties: { name: { type: 'string' } },
 *     required: ['name'],
 *   }),
 *   effects: 'read',
 *   execute: ({ name }) => `Hello ${name}`,
 * });
 * ```
 */
export function jsonSchema<Value = JsonObject>(
  schema: JsonSchema,
  { validator = cfworker }: { readonly validator?: Validator } = {},
): Schema<Value> {
  let check: Promise<Check> | undefined;
  return {
    '~standard': {
      version: 1,
      vendor: 'utensil',
      jsonSchema: { input: () => schema },
      validate: async (value) => {
        check ??= Promise.resolve(validator.compile(schema));
        const issues = (await check)(value);
        return issues.length > 0 ? { issues } : { value: value as Value };
      },
    },
  };
}

/** The engine, and what is needed to read its errors, are loaded when the first value is validated. */
const cfworker: Validator = {
  compile: async (schema) => (await import('./cfworker.ts')).compile(schema),
};
