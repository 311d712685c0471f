import { isObject } from './json.ts';
import type { Json, JsonObject, JsonSchema } from './json.ts';
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

/** More are of no help to anybody, and take long to sort. */
const mostErrors = 200;

const cfworker: Validator = {
  compile: async (schema) => {
    const { Validator: Engine } = await import('@cfworker/json-schema');
    const engine = new Engine(schema, '2020-12', false);
    return (value) => {
      const { valid, errors } = engine.validate(value);
      const first = errors.slice(0, mostErrors);
      return valid ? [] : first.filter((error) => isLeaf(error, first)).map(toIssue);
    };
  },
};

interface EngineError {
  readonly keyword: string;
  readonly keywordLocation: string;
  readonly instanceLocation: string;
  readonly error: string;
}

const unions: readonly string[] = ['anyOf', 'oneOf', 'not', 'if', 'contains'];

/** The engine reports an error at every level: kept are the innermost, but a union as one, without its alternatives. */
function isLeaf(error: EngineError, all: readonly EngineError[]): boolean {
  const isBelow = (inner: EngineError, outer: EngineError): boolean =>
    inner !== outer && inner.keywordLocation.startsWith(`${outer.keywordLocation}/`);
  const underUnion = all.some((outer) => unions.includes(outer.keyword) && isBelow(error, outer));
  return !underUnion && (unions.includes(error.keyword) || !all.some((inner) => isBelow(inner, error)));
}

function toIssue({ keyword, instanceLocation, error }: EngineError): Issue {
  const path = instanceLocation
    .split('/')
    .slice(1)
    .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'));
  const missing = keyword === 'required' ? /"(.*)"\.?$/.exec(error)?.[1] : undefined;
  return { path: missing === undefined ? path : [...path, missing], message: '' };
}

/** The schema that a local `$ref` (`#/$defs/name`) points to; the schema itself where it has none. */
export function dereference(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current: Json | undefined = schema;
  for (let hops = 0; hops < 32 && isRef(current); hops++) {
    const tokens = current.$ref.split('/').slice(1);
    current = tokens.reduce<Json | undefined>(
      (value, token) => (value as JsonObject | undefined)?.[token.replaceAll('~1', '/').replaceAll('~0', '~')],
      root,
    );
  }
  return typeof current === 'object' && current !== null && !Array.isArray(current) ? (current as JsonSchema) : {};
}

function isRef(schema: Json | undefined): schema is JsonObject & { readonly $ref: string } {
  return typeof schema === 'object' && schema !== null && '$ref' in schema && typeof schema['$ref'] === 'string';
}

/** The alternatives of a schema: those of `anyOf` and `oneOf`, one for each entry of a `type` list, or itself. Each once. */
export function alternatives(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const seen = new Set<JsonSchema>();
  const found: JsonSchema[] = [];
  const open = [schema];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const resolved = dereference(next, root);
    if (seen.has(resolved)) continue; // a schema may refer to itself
    seen.add(resolved);
    const union = resolved['anyOf'] ?? resolved['oneOf'];
    if (Array.isArray(union)) open.unshift(...(union.filter(isObject) as JsonSchema[]));
    else found.push(...byType(resolved));
  }
  return found;
}

function byType(schema: JsonSchema): readonly JsonSchema[] {
  const { type } = schema;
  return Array.isArray(type) ? type.map((each: Json) => ({ ...schema, type: each })) : [schema];
}

/** The JSON Schema type of a value. Whole numbers are `integer`. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Whether a schema's `type` lets a value of this type in. */
export function admitsType({ type }: JsonSchema, value: unknown): boolean {
  const actual = typeOf(value);
  return type === undefined || type === actual || (type === 'number' && actual === 'integer');
}
