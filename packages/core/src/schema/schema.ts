import { messageOf, UtensilError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { JsonSchema } from '../base/json.ts';

/** A problem with a value. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Outcome of a validation. */
export type SchemaValidation<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/**
 * The part of a schema that Utensil uses: Standard Schema with its JSON Schema extension. Implemented by schemas of zod
 * 4.2+ and ArkType, by `z.toJSONSchema(schema)` of zod/mini, and by Valibot's `toStandardJsonSchema`; for plain JSON
 * Schema there is `jsonSchema()`. Source: https://standardschema.dev/json-schema
 */
export interface Schema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaValidation<Output> | Promise<SchemaValidation<Output>>;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/**
 * JSON Schema of a schema's input.
 *
 * @throws `schema_unsupported` where the library brings none, or cannot express this schema.
 */
export function toJsonSchema(schema: Schema): JsonSchema {
  const standard: unknown = isObject(schema) || typeof schema === 'function' ? schema['~standard'] : undefined;
  if (!isObject(standard) || !isObject(standard['jsonSchema'])) {
    throw new UtensilError(
      'schema_unsupported',
      'This schema has no JSON Schema: use zod 4.2 or later, z.toJSONSchema(schema) with zod/mini, another Standard Schema library with JSON Schema, or jsonSchema({...}).',
    );
  }
  try {
    const { $schema: _, ...rest } = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    return rest as JsonSchema;
  } catch (cause) {
    throw new UtensilError('schema_unsupported', `This schema has no JSON Schema form: ${messageOf(cause)}`, { cause });
  }
}

/** A compiled schema: returns the issues of a value. */
export type SchemaCheck = (value: unknown) => readonly SchemaIssue[];
