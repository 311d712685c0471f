import { isObject } from './json.ts';
import type { JsonObject } from './json.ts';

const combiners = ['oneOf', 'anyOf', 'allOf'] as const;

/**
 * A schema of an object without combinations at its top, for which several vendors refuse a whole request. Alternatives
 * become one object with the properties of all of them; the tool's own validation still holds.
 */
export function plainObjectSchema(schema: JsonObject): JsonObject & { readonly type: 'object' } {
  const { oneOf, anyOf, allOf, not: _1, enum: _2, const: _3, ...rest } = schema;
  if ((oneOf ?? anyOf ?? allOf) === undefined)
    return { ...rest, type: 'object', properties: schema['properties'] ?? {} };
  const { properties, required } = flatten(schema, schema);
  return { ...rest, type: 'object', properties, required };
}

interface Flat {
  readonly properties: JsonObject;
  /** What every alternative requires. */
  readonly required: readonly string[];
}

/** `around`: the schemas that this one is a part of, for a definition may name itself. */
function flatten(schema: JsonObject, root: JsonObject, around: readonly JsonObject[] = []): Flat {
  const own: Flat = {
    properties: isObject(schema['properties']) ? schema['properties'] : {},
    required: Array.isArray(schema['required']) ? schema['required'].map(String) : [],
  };
  const inside = [...around, schema];
  return combiners.reduce((flat, key) => {
    const listed = Array.isArray(schema[key]) ? schema[key].map((member) => resolve(member, root)) : [];
    const members = listed.filter((member) => !inside.includes(member)).map((member) => flatten(member, root, inside));
    const required = members.map((member) => member.required);
    const common = key === 'allOf' ? required.flat() : inAll(required);
    return {
      properties: members.reduce((merged, { properties }) => mergeProperties(merged, properties), flat.properties),
      required: [...new Set([...flat.required, ...common])],
    };
  }, own);
}

function inAll(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  return first.filter((name) => others.every((list) => list.includes(name)));
}

function resolve(member: unknown, root: JsonObject): JsonObject {
  if (!isObject(member)) return {};
  const name = /^#\/\$defs\/([^/]+)$/.exec(String(member['$ref']))?.[1];
  const definitions = root['$defs'];
  const target = name !== undefined && isObject(definitions) ? definitions[name] : member;
  return (isObject(target) ? target : {}) as JsonObject;
}

/** A property that differs between alternatives may be any of them. */
function mergeProperties(a: JsonObject, b: JsonObject): JsonObject {
  const merged = new Map(Object.entries(a));
  for (const [name, schema] of Object.entries(b)) {
    const known = merged.get(name);
    const isSame = known === undefined || JSON.stringify(known) === JSON.stringify(schema);
    merged.set(name, isSame ? schema : { anyOf: [...alternatives(known), schema] });
  }
  return Object.fromEntries(merged);
}

function alternatives(schema: JsonObject[string]): readonly JsonObject[string][] {
  const keys = isObject(schema) ? Object.keys(schema) : [];
  return keys.length === 1 && isObject(schema) && Array.isArray(schema['anyOf']) ? schema['anyOf'] : [schema];
}
