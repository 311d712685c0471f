import { UtensilError } from '../base/errors.ts';
import { isContainer, isObject } from '../base/json.ts';
import type { Json, JsonObject, JsonSchema } from '../base/json.ts';

/** The schema that a local `$ref` (`#/$defs/name`) points to; the schema itself if it has none. */
export function dereference(schema: Json, root: JsonSchema): JsonSchema {
  let current: Json | undefined = schema;
  for (let hops = 0; hops < 32 && isRef(current); hops++) {
    current = current.$ref.split('/').slice(1).reduce<Json | undefined>(memberOf, root);
  }
  return isObject(current) ? current : {};
}

/** The member that a token of a JSON pointer names. Own members only: a token may be `constructor`. */
export function memberOf(value: Json | undefined, token: string): Json | undefined {
  const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
  return isContainer(value) && Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
}

function isRef(schema: Json | undefined): schema is JsonObject & { readonly $ref: string } {
  return isObject(schema) && typeof schema['$ref'] === 'string';
}

/** Maximum number of alternatives to explain, or to try in a repair. */
const mostAlternatives = 1_000;

/**
 * The distinct alternatives of a schema: those of `anyOf` and `oneOf`, one for each entry of a `type` list, or the
 * schema itself.
 */
export function alternatives(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const seen = new Set<JsonSchema>();
  const found: JsonSchema[] = [];
  const open = [schema];
  for (let next = open.pop(); next !== undefined && seen.size < mostAlternatives; next = open.pop()) {
    const resolved = dereference(next, root);
    if (seen.has(resolved)) continue; // a schema may be recursive
    seen.add(resolved);
    const union = resolved['anyOf'] ?? resolved['oneOf'];
    if (!Array.isArray(union)) found.push(...byType(resolved));
    else
      for (const member of union.slice(0, mostAlternatives).toReversed())
        if (isObject(member)) open.push(member as JsonSchema);
  }
  return found;
}

function byType(schema: JsonSchema): readonly JsonSchema[] {
  const { type } = schema;
  return Array.isArray(type) ? type.map((each: Json) => ({ ...schema, type: each })) : [schema];
}

/** JSON Schema type of a value. Whole numbers are `integer`. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** True if a schema's `type` admits a value of this type. */
export function admitsType({ type }: JsonSchema, value: unknown): boolean {
  const actual = typeOf(value);
  return type === undefined || type === actual || (type === 'number' && actual === 'integer');
}

/** Maximum levels of JSON. A nested object takes two. */
const deepest = 200;

/** Maximum number of objects, arrays and scalars. */
const mostValues = 100_000;

/**
 * Bounds the size and depth of a schema, so that code that walks it terminates soon and has enough stack.
 *
 * @throws `schema_unsupported`
 */
export function assertBounded(schema: unknown): void {
  let count = 0;
  let level: readonly unknown[] = [schema];
  for (let depth = 1; level.length > 0; depth++) {
    count += level.length;
    if (depth > deepest) refuse(`is nested more than ${deepest} levels deep`);
    if (count > mostValues) refuse(`has more than ${mostValues} values`);
    level = level.flatMap((value) => (isContainer(value) ? Object.values(value) : []));
  }
}

function refuse(problem: string): never {
  throw new UtensilError('schema_unsupported', `This schema ${problem}: split it, or simplify it.`);
}
