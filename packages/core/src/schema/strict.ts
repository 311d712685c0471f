import { isContainer, isObject } from '../base/json.ts';
import type { Json, JsonObject, JsonSchema } from '../base/json.ts';
import { plainObjectSchema, withNotes } from './plain-object.ts';
import { typeOf } from './walk.ts';

/** Restrictions of a vendor's strict mode. */
export interface StrictDialect {
  /** True if it enforces a keyword that narrows a value, such as `minimum`. */
  takes(keyword: string, value: Json): boolean;
  /** True if every property must be required: an optional one is then lowered to a nullable one. */
  readonly requiresAll: boolean;
  /** True if definitions may be recursive. */
  readonly takesRecursion: boolean;
}

/** A schema lowered for a strict mode, with the counts that vendors limit. */
export interface StrictSchema {
  readonly schema: JsonObject & { readonly type: 'object' };
  readonly properties: number;
  /** Number of optional properties. */
  readonly optional: number;
  /** Number of unions. */
  readonly unions: number;
  /** Depth of nested objects. */
  readonly depth: number;
}

/**
 * Lowers a schema of arguments for a strict mode. Keywords that the vendor does not enforce move into the description,
 * where the model reads them; the tool's own validation still enforces them. Undefined if strict mode would exclude
 * values that the schema admits: open objects, values of any type, tuples.
 */
export function strictSchema(schema: JsonSchema, dialect: StrictDialect): StrictSchema | undefined {
  const counts: Counts = { properties: 0, optional: 0, unions: 0, depth: 0 };
  const walk: Walk = { dialect, counts, references: new Map(), isFit: true };
  const root = plainObjectSchema(schema);
  const hasArguments = Object.keys(root['properties'] as JsonObject).length > 0;
  // Few schemas of tools without arguments say that there are none.
  const closed = hasArguments ? root : { ...root, additionalProperties: root['additionalProperties'] ?? false };
  const lowered = lower(closed, { walk, definition: '#', depth: 1 });
  if (!walk.isFit || (!dialect.takesRecursion && isRecursive(walk.references))) return undefined;
  return { schema: { ...lowered, type: 'object' }, ...counts };
}

interface Counts {
  properties: number;
  optional: number;
  unions: number;
  depth: number;
}

interface Walk {
  readonly dialect: StrictDialect;
  readonly counts: Counts;
  /** References between definitions. */
  readonly references: Map<string, Set<string>>;
  isFit: boolean;
}

interface Place {
  readonly walk: Walk;
  /** The definition that contains it. */
  readonly definition: string;
  readonly depth: number;
}

const structure: ReadonlySet<string> = new Set([
  ...['$ref', '$defs', 'type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items'],
  ...['anyOf', 'oneOf', 'allOf', 'title', 'description'],
]);

/** Keywords that describe additional members, which strict mode forbids, or that define no members. */
const unfitting = ['patternProperties', 'prefixItems', '$dynamicRef', '$recursiveRef', 'unevaluatedProperties'];

/** Keywords that do not restrict values. */
const silent: ReadonlySet<string> = new Set(['$schema', '$comment', '$id', '$anchor', 'deprecated', 'readOnly']);

function lower(schema: Json | undefined, place: Place): JsonObject {
  const { walk } = place;
  if (!isSchema(schema) || unfitting.some((keyword) => keyword in schema)) return unfit(walk);
  const { allOf } = schema;
  if (Array.isArray(allOf) && allOf.length === 1 && isSchema(allOf[0])) {
    const { allOf: _, ...rest } = schema;
    return Object.keys(rest).some((key) => key in (allOf[0] as JsonObject))
      ? unfit(walk)
      : lower({ ...rest, ...allOf[0] }, place);
  }
  if (allOf !== undefined) return unfit(walk);
  const { kept, notes } = keywords(schema, walk.dialect);
  const shape = shapeOf(schema, place);
  const definitions = definitionsOf(schema, place);
  const title = typeof schema['title'] === 'string' ? { title: schema['title'] } : {};
  const described = withNotes(schema['description'], [...notes, ...(schema['oneOf'] === undefined ? [] : [onlyOne])]);
  const hasSiblings = described !== undefined || Object.keys({ ...kept, ...title }).length > 0;
  const whole = '$ref' in shape && hasSiblings ? { anyOf: [shape] } : shape; // a reference must stand alone
  if (isUnion(whole)) walk.counts.unions += 1;
  return {
    ...whole,
    ...title,
    ...kept,
    ...(described !== undefined && { description: described }),
    ...definitions,
  };
}

function isUnion({ anyOf, type }: JsonObject): boolean {
  return anyOf !== undefined || (Array.isArray(type) && type.length > 1);
}

const onlyOne = 'only one of the alternatives may fit';

function isSchema(value: Json | undefined): value is JsonObject {
  return isObject(value);
}

function unfit(walk: Walk): JsonObject {
  walk.isFit = false;
  return {};
}

interface Keywords {
  readonly kept: JsonObject;
  readonly notes: readonly string[];
}

function keywords(schema: JsonObject, dialect: StrictDialect): Keywords {
  const others = Object.entries(schema).filter(([key]) => !structure.has(key) && !silent.has(key));
  return {
    kept: Object.fromEntries(others.filter(([key, value]) => dialect.takes(key, value))),
    notes: others
      .filter(([key, value]) => !dialect.takes(key, value))
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
  };
}

function shapeOf(schema: JsonObject, place: Place): JsonObject {
  const { walk } = place;
  const { $ref, type } = schema;
  const union = schema['anyOf'] ?? schema['oneOf'];
  if (typeof $ref === 'string') return isAlone(schema, '$ref') ? reference($ref, place) : unfit(walk);
  if (union !== undefined) {
    if (!Array.isArray(union) || !isAlone(schema, 'anyOf', 'oneOf')) return unfit(walk);
    return { anyOf: union.map((member: Json) => lower(member, place)) };
  }
  const literals = literalsOf(schema);
  if (literals !== undefined) return literals.some(isContainer) ? unfit(walk) : literal(schema, literals);
  const types = Array.isArray(type) ? type : [type];
  if (type === undefined || types.length === 0) return unfit(walk);
  return {
    type,
    ...(types.includes('object') && objectOf(schema, place)),
    ...(types.includes('array') && { items: lower(schema['items'], place) }),
  };
}

const shapes = ['$ref', 'type', 'enum', 'const', 'properties', 'items', 'anyOf', 'oneOf'];

function isAlone(schema: JsonObject, ...own: readonly string[]): boolean {
  return shapes.filter((key) => key in schema && !own.includes(key)).length === 0;
}

function literalsOf({ const: only, enum: listed }: JsonObject): readonly Json[] | undefined {
  if (only !== undefined) return [only];
  return Array.isArray(listed) ? listed : undefined;
}

function literal({ type, const: only, enum: listed }: JsonObject, values: readonly Json[]): JsonObject {
  const types = [...new Set(values.map(typeOf))];
  return {
    type: type ?? (types.length === 1 ? types[0] : types) ?? 'null',
    ...(only === undefined ? { enum: listed ?? [] } : { const: only }),
  };
}

function reference($ref: string, { walk, definition }: Place): JsonObject {
  const name = $ref === '#' ? '#' : /^#\/\$defs\/([^/]+)$/.exec($ref)?.[1];
  if (name === undefined) return unfit(walk);
  const known = walk.references.get(definition) ?? new Set();
  walk.references.set(definition, known.add(name));
  return { $ref };
}

function definitionsOf({ $defs }: JsonObject, { walk, depth }: Place): JsonObject {
  if (!isSchema($defs)) return {};
  const lowered = Object.entries($defs).map(([name, schema]) => [
    name,
    lower(schema, { walk, definition: name, depth: depth + 1 }),
  ]);
  return { $defs: Object.fromEntries(lowered) as JsonObject };
}

function objectOf(schema: JsonObject, place: Place): JsonObject {
  const { walk } = place;
  const { properties, required = [], additionalProperties: rest } = schema;
  const entries = isSchema(properties) ? Object.entries(properties) : [];
  const isOpen = rest === undefined ? entries.length === 0 : rest !== false;
  if (isOpen || !Array.isArray(required)) return unfit(walk);
  const { counts, dialect } = walk;
  const isRequired = (name: string): boolean => required.includes(name);
  const inside = { ...place, depth: place.depth + 1 };
  counts.depth = Math.max(counts.depth, place.depth);
  counts.properties += entries.length;
  counts.optional += entries.filter(([name]) => !isRequired(name)).length;
  const lowered = entries.map(([name, property]) => {
    const inner = lower(property, inside);
    return [name, dialect.requiresAll && !isRequired(name) ? orNull(inner) : inner] as const;
  });
  const names = entries.map(([name]) => name);
  return {
    properties: Object.fromEntries(lowered),
    required: dialect.requiresAll ? names : names.filter(isRequired),
    additionalProperties: false,
  };
}

/** Makes a schema nullable, in place of an optional property. */
function orNull(schema: JsonObject): JsonObject {
  const { type, enum: listed, anyOf, description, ...rest } = schema;
  const told = description === undefined ? {} : { description };
  if (Array.isArray(anyOf)) {
    const hasNull = anyOf.some((member: Json) => isSchema(member) && member['type'] === 'null');
    return hasNull ? schema : { ...rest, anyOf: [...anyOf, { type: 'null' }], ...told };
  }
  if (type === undefined || 'const' in schema || '$ref' in schema)
    return { anyOf: [{ ...schema }, { type: 'null' }], ...told };
  const types: readonly Json[] = Array.isArray(type) ? type : [type];
  const values = Array.isArray(listed) ? { enum: listed.includes(null) ? listed : [...listed, null] } : {};
  return { ...schema, type: types.includes('null') ? type : [...types, 'null'], ...values };
}

/**
 * True if a definition is recursive. Repeatedly removes definitions without open references, until none are left, or
 * only cycles.
 */
function isRecursive(references: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const namedBy = new Map<string, string[]>();
  const open = new Map([...references].map(([from, names]) => [from, names.size]));
  for (const [from, names] of references) {
    for (const name of names) {
      const others = namedBy.get(name) ?? [];
      others.push(from);
      namedBy.set(name, others);
    }
  }
  const done = [...namedBy.keys()].filter((name) => !references.has(name));
  for (let name = done.pop(); name !== undefined; name = done.pop()) {
    for (const from of namedBy.get(name) ?? []) {
      const left = (open.get(from) ?? 0) - 1;
      open.set(from, left);
      if (left === 0) done.push(from);
    }
  }
  return [...open.values()].some((left) => left > 0);
}
