import { isObject } from './json.ts';
import type { Json, JsonObject } from './json.ts';

const combiners = ['oneOf', 'anyOf', 'allOf'] as const;

/**
 * A schema of an object without combinations at its top, for which several vendors refuse a whole request. Alternatives
 * become one object with the properties of all of them, and its description says what else has to hold; the tool's own
 * validation still does.
 */
export function plainObjectSchema(schema: JsonObject): JsonObject & { readonly type: 'object' } {
  const { oneOf, anyOf, allOf, not: _1, enum: _2, const: _3, ...rest } = schema;
  const description = withNotes(rest['description'], notesOn(schema));
  const said = { ...rest, ...(description !== undefined && { description }), type: 'object' } as const;
  if ((oneOf ?? anyOf ?? allOf) === undefined) return { ...said, properties: schema['properties'] ?? {} };
  return { ...said, ...flatten(schema, schema) };
}

/** A description, and what else has to hold, in the words of JSON Schema. */
export function withNotes(description: Json | undefined, notes: readonly string[]): string | undefined {
  const said = typeof description === 'string' ? description : undefined;
  if (notes.length === 0) return said;
  const demands = `{${notes.join(', ')}}`;
  return said === undefined || said === '' ? demands : `${said}\n\n${demands}`;
}

/** Of alternatives: what belongs together. Of the rest: what may be there, and what may not. */
function notesOn(schema: JsonObject): readonly string[] {
  return ['oneOf', 'anyOf', 'not', 'enum', 'const'].flatMap((key) => {
    const value = schema[key];
    const isChoice = Array.isArray(value) && key.endsWith('Of');
    const told = isChoice ? value.map((member) => gistOf(resolve(member, schema))) : value;
    const saysNothing = isChoice && JSON.stringify(told) === JSON.stringify(value.map(() => ({})));
    return told === undefined || saysNothing ? [] : [`${key}: ${JSON.stringify(told)}`];
  });
}

function gistOf({ properties, required }: JsonObject): JsonObject {
  const fixed = Object.entries(isObject(properties) ? properties : {}).filter(
    ([, property]) => isObject(property) && 'const' in property,
  );
  return {
    ...(fixed.length > 0 && { properties: Object.fromEntries(fixed) }),
    ...(required !== undefined && { required }),
  };
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
