import { isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { branchesOf, literalsOf } from './branches.ts';

const combiners = ['oneOf', 'anyOf', 'allOf'] as const;

/**
 * Simplifies a schema to an object without combinators at the top, because several vendors reject requests with them.
 * Alternatives become one object with the properties of all; its description lists the remaining constraints, which the
 * tool's own validation still enforces. `describeTool` tells which properties of a union belong together.
 */
export function plainObjectSchema(schema: JsonObject): JsonObject & { readonly type: 'object' } {
  const { oneOf, anyOf, allOf, not: _1, enum: _2, const: _3, ...rest } = schema;
  const description = withNotes(rest['description'], notesOn(schema));
  const said = { ...rest, ...(description !== undefined && { description }), type: 'object' } as const;
  if ((oneOf ?? anyOf ?? allOf) === undefined) return { ...said, properties: schema['properties'] ?? {} };
  return { ...said, ...flatten(schema, { root: schema, known: new Map(), left: mostMerged }) };
}

/** A description with the remaining constraints, in terms of JSON Schema. */
export function withNotes(description: Json | undefined, notes: readonly string[]): string | undefined {
  const said = typeof description === 'string' ? description : undefined;
  if (notes.length === 0) return said;
  const demands = `{${notes.join(', ')}}`;
  return said === undefined || said === '' ? demands : `${said}\n\n${demands}`;
}

/** For alternatives: the properties that belong together. For the rest: what is allowed and forbidden. */
function notesOn(schema: JsonObject): readonly string[] {
  const unions = branchesOf(schema).length > 0 ? [] : ['oneOf', 'anyOf'];
  return [...unions, 'not', 'enum', 'const'].flatMap((key) => {
    const value = schema[key];
    if (value === undefined) return [];
    if (!Array.isArray(value) || !key.endsWith('Of')) return [`${key}: ${JSON.stringify(value)}`];
    const gists = [...new Set(value.map((member) => resolve(member, schema)))].map(gistOf);
    const saysNothing = gists.every((gist) => Object.keys(gist).length === 0);
    return saysNothing ? [] : [`${key}: ${JSON.stringify(gists)}`];
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
  /** The properties that every alternative requires. */
  readonly required: readonly string[];
}

/** Flattened schemas, cached by reference. */
interface Flattening {
  readonly root: JsonObject;
  /** Undefined during flattening: a definition may be recursive. */
  readonly known: Map<JsonObject, Flat | undefined>;
  /** Number of properties that may still be merged. */
  left: number;
}

/** only the tool's own validation enforces the others */
const mostMerged = 20_000;

function flatten(schema: JsonObject, flattening: Flattening): Flat {
  const { known, root } = flattening;
  known.set(schema, undefined);
  const properties = new Map<string, Variants>();
  const required = new Set(Array.isArray(schema['required']) ? schema['required'].map(String) : []);
  addVariants(properties, isObject(schema['properties']) ? schema['properties'] : {}, flattening);
  for (const key of combiners) {
    const listed = Array.isArray(schema[key]) ? schema[key].map((member) => resolve(member, root)) : [];
    const members = [...new Set(listed)].flatMap((member) => {
      if (!known.has(member)) return [flatten(member, flattening)];
      return known.get(member) ?? [];
    });
    for (const member of members) addVariants(properties, member.properties, flattening);
    const lists = members.map((member) => member.required);
    for (const name of key === 'allOf' ? lists.flat() : inAll(lists)) required.add(name);
  }
  const merged = [...properties].map(([name, variants]) => [name, oneOf([...variants.values()])] as const);
  const flat = { properties: Object.fromEntries(merged), required: [...required] };
  known.set(schema, flat);
  return flat;
}

/** The distinct schemas of a property, by their text without descriptions: alternatives may share one. */
type Variants = Map<string, Variant>;

interface Variant {
  readonly schema: Json;
  readonly descriptions: Set<string>;
}

function addVariants(into: Map<string, Variants>, properties: JsonObject, flattening: Flattening): void {
  for (const [name, schema] of Object.entries(properties)) {
    if (flattening.left-- <= 0) return;
    const { description, ...bare } = isObject(schema) ? schema : {};
    const key = JSON.stringify(isObject(schema) ? bare : schema);
    const variants = into.get(name) ?? new Map<string, Variant>();
    const variant = variants.get(key) ?? { schema, descriptions: new Set() };
    if (typeof description === 'string') variant.descriptions.add(description);
    into.set(name, variants.set(key, variant));
  }
}

/** A property that differs between alternatives becomes a union; fixed values become one list. */
function oneOf(variants: readonly Variant[]): Json {
  const schemas = variants.map(described);
  const [first = {}, ...others] = schemas;
  return others.length === 0 ? first : (oneList(schemas) ?? { anyOf: [...alternatives(first), ...others] });
}

function described({ schema, descriptions }: Variant): Json {
  if (descriptions.size === 0 || !isObject(schema)) return schema;
  return { ...schema, description: [...descriptions].join('; ') };
}

const listing: ReadonlySet<string> = new Set(['const', 'enum', 'type', 'title', 'description']);

/** An `enum` of all values, if each schema has a fixed value or an enumeration. */
function oneList(schemas: readonly Json[]): JsonObject | undefined {
  const lists = schemas.map((schema) =>
    isObject(schema) && Object.keys(schema).every((key) => listing.has(key)) ? literalsOf(schema as Json) : undefined,
  );
  if (lists.includes(undefined)) return undefined;
  const said = (key: string): readonly Json[] => [
    ...new Set(schemas.flatMap((schema) => (schema as JsonObject)[key] ?? [])),
  ];
  const types = said('type');
  const descriptions = said('description');
  return {
    ...(types.length === 1 &&
      schemas.every((schema) => 'type' in (schema as JsonObject)) && { type: types[0] as Json }),
    enum: [...new Set(lists.flatMap((list) => list ?? []))],
    ...(descriptions.length > 0 && { description: descriptions.join('; ') }),
  };
}

function inAll(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  const sets = others.map((list) => new Set(list));
  return first.filter((name) => sets.every((set) => set.has(name)));
}

function resolve(member: unknown, root: JsonObject): JsonObject {
  if (!isObject(member)) return {};
  const name = /^#\/\$defs\/([^/]+)$/.exec(String(member['$ref']))?.[1];
  const definitions = root['$defs'];
  const target = name !== undefined && isObject(definitions) ? definitions[name] : member;
  return (isObject(target) ? target : {}) as JsonObject;
}

function alternatives(schema: JsonObject[string]): readonly JsonObject[string][] {
  const { anyOf, ...others } = isObject(schema) ? schema : {};
  return Array.isArray(anyOf) && Object.keys(others).length === 0 ? anyOf : [schema];
}
