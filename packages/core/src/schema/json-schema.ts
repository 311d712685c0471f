import type { JsonObject, JsonSchema } from '../base/json.ts';
import { isUtensilError } from '../base/errors.ts';
import { loadFormats, loadInterpreter } from './load-validator.ts';
import type { SchemaCheck, Schema } from './schema.ts';

/** Validates values against JSON Schema; returns the issues. */
export interface Validator {
  compile(schema: JsonSchema): SchemaCheck | Promise<SchemaCheck>;
}

/** Options of `jsonSchema()`. */
export interface JsonSchemaOptions {
  /** A validator that replaces the built-in one. */
  readonly validator?: Validator;
  /** True to reject strings that do not have their schema's `format`. By default, `format` is an annotation. */
  readonly assertFormats?: boolean;
}

/**
 * Creates a schema from plain JSON Schema: draft 2020-12, or draft 7 if `$schema` says so. The validator is loaded with
 * the first value, and its work is bounded, because schemas may be untrusted.
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
  { assertFormats = false, validator = interpreter(assertFormats) }: JsonSchemaOptions = {},
): Schema<Value> {
  let check: Promise<SchemaCheck> | undefined;

  /** A schema that is refused always is; anything else may work the next time. */
  function compiled(): Promise<SchemaCheck> {
    const compiling = Promise.resolve().then(() => validator.compile(schema));
    compiling.catch((error: unknown) => {
      if (!isUtensilError(error, 'schema_unsupported', 'schema_too_costly')) check = undefined;
    });
    return compiling;
  }

  return {
    '~standard': {
      version: 1,
      vendor: 'utensil',
      jsonSchema: { input: () => schema },
      validate: async (value) => {
        const issues = (await (check ??= compiled()))(value);
        return issues.length > 0 ? { issues } : { value: value as Value };
      },
    },
  };
}

/** Loaded on the first validation. */
function interpreter(assertFormats: boolean): Validator {
  return {
    compile: async (schema) => {
      const { compile } = await loadInterpreter();
      return compile(schema, assertFormats ? (await loadFormats()).formats : {});
    },
  };
}
