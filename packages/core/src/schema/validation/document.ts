import { UtensilError } from '../../base/errors.ts';
import { isContainer, isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { memberOf } from '../walk.ts';
import { isSchema } from './keyword.ts';
import { resolveUri, splitFragment } from './uri.ts';

/** A schema document: all schemas in it, and the targets of their references. */
export interface SchemaDocument {
  readonly dialect: Dialect;
  /** Location of a schema, as a JSON pointer. */
  locationOf(schema: JsonObject): string;
  /** The schema that a `$ref` points to. Throws `schema_unsupported` if it is outside the document. */
  resolve(reference: string, from: JsonObject): JsonObject | boolean;
}

/** Differences between drafts. */
export interface Dialect {
  /** True if the siblings of a `$ref` are ignored. */
  readonly refStandsAlone: boolean;
}

const latest: Dialect = { refStandsAlone: false };

const dialects: Readonly<Record<string, Dialect>> = {
  '//json-schema.org/draft/2020-12/schema': latest,
  '//json-schema.org/schema': latest,
  '//json-schema.org/draft-07/schema': { refStandsAlone: true },
};

/** Keywords whose operand is a schema, or a list or object of schemas. */
const holders: ReadonlySet<string> = new Set([
  ...['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas', 'dependencies'],
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'],
]);
const singles: ReadonlySet<string> = new Set([
  ...['additionalItems', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'items', 'not'],
  ...['propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties'],
]);

/** Keywords whose target depends on the dynamic scope. */
const refused = ['$dynamicRef', '$recursiveRef'];

interface Found {
  readonly schema: JsonObject;
  /** Base URI of its references. */
  readonly base: string;
  readonly location: string;
}

/** Reads a document, which must be bounded already. Never fetches anything. */
export function readDocument(root: JsonObject): SchemaDocument {
  const found = new Map<JsonObject, Found>();
  const named = new Map<string, JsonObject>([['', root]]);
  const dialect = root['$schema'] === undefined ? latest : dialectOf(root['$schema'], '#');
  add(root, '', '#');

  function add(schema: JsonObject, base: string, location: string): void {
    const open: Found[] = [{ schema, base, location }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (found.has(next.schema)) continue;
      const place = { ...next, base: nameSchema(next) };
      found.set(next.schema, place);
      for (const inner of schemasIn(place)) open.push(inner);
    }
  }

  /** Registers the identifiers of a schema and of its anchors. Returns its base URI. */
  function nameSchema({ schema, base, location }: Found): string {
    if (schema['$schema'] !== undefined && dialectOf(schema['$schema'], location) !== dialect) {
      refuseSchema(location, 'is of another draft than the schema around it', 'write both in one draft');
    }
    for (const keyword of refused) {
      if (Object.hasOwn(schema, keyword))
        refuseSchema(
          location,
          `has the keyword "${keyword}", which is not supported`,
          'write "$ref" with the schema that is meant',
        );
    }
    const { $id, $anchor, $dynamicAnchor } = schema;
    const isNamed = typeof $id === 'string' && !(dialect.refStandsAlone && '$ref' in schema);
    const [uri, fragment] = isNamed ? splitFragment($id) : ['', ''];
    const own = resolveUri(uri, base);
    if (uri !== '') named.set(own, schema);
    for (const anchor of [fragment, $anchor, $dynamicAnchor]) {
      if (typeof anchor === 'string' && anchor !== '') named.set(`${own}#${anchor}`, schema);
    }
    return own;
  }

  function resolve(reference: string, from: JsonObject): JsonObject | boolean {
    const { base, location } = found.get(from) as Found;
    const [uri, fragment] = splitFragment(reference);
    const resource = named.get(resolveUri(uri, base));
    const missing = (): never =>
      refuseSchema(
        location,
        `refers to ${JSON.stringify(reference.slice(0, 200))}, which is not in this schema`,
        'put it into "$defs": nothing is fetched',
      );
    if (resource === undefined) return missing();
    const path = decoded(fragment) ?? missing();
    if (path === '') return resource;
    if (!path.startsWith('/')) return named.get(`${resolveUri(uri, base)}#${path}`) ?? missing();
    return at(resource, path) ?? missing();
  }

  /** Follows a JSON pointer, which may point to a place that no keyword makes a schema. */
  function at(resource: JsonObject, pointer: string): JsonObject | boolean | undefined {
    let { base, location } = found.get(resource) as Found;
    let value: Json | undefined = resource;
    for (const token of pointer.slice(1).split('/')) {
      value = memberOf(value, token);
      location = `${location}/${token}`;
      base = isObject(value) ? (found.get(value)?.base ?? base) : base;
    }
    if (!isSchema(value)) return undefined;
    if (isObject(value)) add(value, base, location);
    return value;
  }

  return { dialect, resolve, locationOf: (schema) => found.get(schema)?.location ?? '#' };
}

function schemasIn({ schema, base, location }: Found): readonly Found[] {
  return Object.entries(schema).flatMap(([keyword, operand]) => {
    const inside = `${location}/${keyword}`;
    const isOne = singles.has(keyword) && isObject(operand);
    if (isOne) return [{ schema: operand, base, location: inside }];
    if (!holders.has(keyword) || !isContainer(operand)) return [];
    return Object.entries(operand).flatMap(([key, member]: [string, Json]) =>
      isObject(member) ? [{ schema: member, base, location: `${inside}/${key}` }] : [],
    );
  });
}

function dialectOf(uri: Json, location: string): Dialect {
  const name = typeof uri === 'string' ? uri.replace(/^https?:/, '').replace(/#$/, '') : '';
  const dialect = Object.hasOwn(dialects, name) ? dialects[name] : undefined;
  return (
    dialect ??
    refuseSchema(
      location,
      `is written for ${JSON.stringify(uri)}`,
      'write it in draft 2020-12, or in draft 7 with its "$schema"',
    )
  );
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** Throws `schema_unsupported` with the location, the problem, and advice. */
export function refuseSchema(location: string, problem: string, advice: string): never {
  throw new UtensilError('schema_unsupported', `The schema at ${location.slice(0, 200)} ${problem}: ${advice}.`);
}
