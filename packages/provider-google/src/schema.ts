import { type FunctionDefinition, type Json, type JsonObject, isObject, plainObjectSchema } from '@utensil/core';

/** A tool's schema in the keywords that Gemini reads: it knows no `const`, and refuses an empty `required`. */
export function toSchema({ inputSchema }: FunctionDefinition): JsonObject {
  return adapt(plainObjectSchema(inputSchema)) as JsonObject;
}

/** The description of a tool; the APIs have no field for examples, so they stand at its end. */
export function describe({ description, examples = [] }: FunctionDefinition): string {
  if (examples.length === 0) return description;
  return [description, '', 'Examples of input:', ...examples.map((example) => JSON.stringify(example))].join('\n');
}

function adapt(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(adapt);
  if (!isObject(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => entry(key, value)));
}

function entry(key: string, value: Json): readonly (readonly [string, Json])[] {
  if (key === 'const' && (typeof value === 'string' || typeof value === 'number')) return [['enum', [value]]];
  if (key === 'required' && Array.isArray(value) && value.length === 0) return [];
  if (values.has(key)) return [[key, value]];
  return [[key, named.has(key) && isObject(value) ? eachOf(value) : adapt(value)]];
}

function eachOf(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, adapt(schema)]));
}

/** Keywords that hold values, not schemas. */
const values: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'required']);

/** Keywords that hold schemas by names, which are not keywords. */
const named: ReadonlySet<string> = new Set(['$defs', 'definitions', 'patternProperties', 'properties']);
