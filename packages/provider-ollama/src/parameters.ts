import { type Json, type JsonObject, isObject } from '@utensil/core';

/** Keywords of a schema that the server keeps. It drops anything else before the model sees it. */
const kept: ReadonlySet<string> = new Set(['type', 'items', 'description', 'enum', 'anyOf', 'properties', 'required']);

/** Keywords that say nothing to a model, or are expressed otherwise below. */
const silent: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$anchor', '$comment', '$defs', 'definitions', 'title'],
  ...['$ref', 'const', 'oneOf', 'allOf'],
]);

interface Scope {
  readonly root: JsonObject;
  /** The names of the definitions that this schema is a part of, for a definition may name itself. */
  readonly around: readonly string[];
  readonly budget: { places: number };
}

/** Definitions are inlined at every reference, so few can become very many. */
const mostPlaces = 5_000;

/** The schema of a tool in the few keywords that the server keeps; what the others say is told in descriptions. */
export function toParameters(schema: JsonObject): JsonObject & { readonly type: 'object' } {
  const { $defs: _1, definitions: _2, ...plain } = schema;
  const { properties = {}, required } = lower(plain, { root: schema, around: [], budget: { places: mostPlaces } });
  return { type: 'object', properties, ...(required !== undefined && { required }) };
}

function lower(schema: Json | undefined, scope: Scope): JsonObject {
  if (!isObject(schema)) return {};
  if (scope.budget.places-- <= 0) return { description: 'Its shape is left out: the schema is too large.' };
  const { target, inside, isItself } = resolve(schema, scope);
  if (isItself) return { type: 'object', description: `Of the same shape as the ${inside.around.at(-1)} around it.` };
  const merged = mergeAll(target, inside);
  const lowered: Record<string, Json> = {};
  for (const [key, value] of Object.entries(merged)) {
    if (kept.has(key)) lowered[key] = lowerKeyword(key, value, inside);
  }
  const type = lowered['type'] ?? typeOf(lowered['enum']);
  const description = [lowered['description'], notesOf(merged)].filter(Boolean).join(' ');
  return { ...lowered, ...(type !== undefined && { type }), ...(description !== '' && { description }) };
}

function lowerKeyword(key: string, value: Json, scope: Scope): Json {
  if (key === 'items') return lower(value, scope);
  if (key === 'anyOf' && Array.isArray(value)) return value.map((member) => lower(member, scope));
  if (key !== 'properties' || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, lower(property, scope)]));
}

interface Resolved {
  readonly target: JsonObject;
  readonly inside: Scope;
  readonly isItself: boolean;
}

/** A definition, inlined at a reference. */
function resolve(schema: JsonObject, scope: Scope): Resolved {
  const { $ref, ...rest } = schema;
  const [, key = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String($ref)) ?? [];
  const definitions = scope.root[key];
  const definition = isObject(definitions) ? definitions[name] : undefined;
  if ($ref === '#') return { target: rest, inside: { ...scope, around: ['object'] }, isItself: true };
  if (!isObject(definition)) return { target: rest, inside: scope, isItself: false };
  const inside = { ...scope, around: [...scope.around, name] };
  return { target: { ...definition, ...rest }, inside, isItself: scope.around.includes(name) };
}

/** `const`, `oneOf` and `allOf` in the words of the others. */
function mergeAll(schema: JsonObject, scope: Scope): JsonObject {
  const { const: only, oneOf, allOf, ...rest } = schema;
  const parts = Array.isArray(allOf) ? allOf.map((member) => lower(member, scope)) : [];
  const all = parts.reduce(merge, rest);
  return { ...all, ...(only !== undefined && { enum: [only] }), ...(Array.isArray(oneOf) && { anyOf: oneOf }) };
}

function merge(a: JsonObject, b: JsonObject): JsonObject {
  const properties = { ...asObject(a['properties']), ...asObject(b['properties']) };
  const required = [...asList(a['required']), ...asList(b['required'])];
  return {
    ...b,
    ...a,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Some templates read the arguments of a call by their declared types. */
function typeOf(values: Json | undefined): string | undefined {
  const types = new Set(asList(values).map((value) => typeof value));
  const [type] = types;
  return types.size === 1 && (type === 'string' || type === 'number' || type === 'boolean') ? type : undefined;
}

/** Constraints that the server would drop, in words: `(minimum: 1, maximum: 9)`. */
function notesOf(schema: JsonObject): string {
  const notes = Object.entries(schema)
    .filter(([key, value]) => !kept.has(key) && !silent.has(key) && isTelling(key, value))
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return notes.length === 0 ? '' : `(${notes.join(', ')})`;
}

function isTelling(key: string, value: Json): boolean {
  return key !== 'additionalProperties' || isObject(value);
}
