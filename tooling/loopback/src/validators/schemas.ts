import { type Fields, fields, isObject, list } from './rules.ts';

/** A schema inside of a schema, and where. */
export interface Place {
  readonly schema: Fields;
  readonly path: readonly string[];
}

/** A schema, and every schema in it. */
export function* schemasIn(schema: Fields, path: readonly string[] = []): Generator<Place> {
  yield { schema, path };
  for (const key of ['properties', '$defs', 'definitions']) {
    for (const [name, inner] of Object.entries(fields(schema[key])))
      if (isObject(inner)) yield* schemasIn(inner, [...path, key, name]);
  }
  for (const key of ['items', 'additionalProperties', 'not', 'if', 'then', 'else']) {
    const inner = schema[key];
    if (isObject(inner)) yield* schemasIn(inner, [...path, key]);
  }
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    for (const [index, inner] of list(schema[key]).entries()) yield* schemasIn(inner, [...path, key, `${index}`]);
  }
}

/** The top of a schema of arguments is an object, and no choice. */
export function rootProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return 'the schema is no object';
  if (schema['type'] !== 'object')
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${String(schema['type'] ?? 'None')}"'`;
  const choice = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'].find((key) => key in schema);
  return choice === undefined ? undefined : `'${choice}' is not allowed at the top level`;
}

/** What a vendor's strict mode takes. */
export interface StrictMode {
  /** Keywords that it refuses. */
  readonly forbidden: readonly string[];
  /** Every property has to be in `required`. */
  readonly requiresAll: boolean;
  /** A definition may be a part of itself. */
  readonly takesRecursion: boolean;
}

/** What strict mode has against a schema. */
export function strictProblem(
  schema: Fields,
  { forbidden, requiresAll, takesRecursion }: StrictMode,
): string | undefined {
  if (!takesRecursion && isRecursive(schema)) return 'Circular $ref detected';
  for (const { schema: inner, path } of schemasIn(schema)) {
    const place = `In context=(${path.map((name) => `'${name}'`).join(', ')})`;
    const keyword = forbidden.find((key) => key in inner);
    if (keyword !== undefined) return `${place}, '${keyword}' is not permitted`;
    if (!['type', '$ref', 'anyOf', 'allOf', 'enum', 'const'].some((key) => key in inner))
      return `${place}, schema must have a 'type' key`;
    if ('$ref' in inner && Object.keys(inner).some((key) => key !== '$ref' && key !== '$defs'))
      return `${place}, $ref cannot have keywords beside it`;
    if (inner['type'] !== 'object' && !('properties' in inner)) continue;
    if (inner['additionalProperties'] !== false)
      return `${place}, 'additionalProperties' is required to be supplied and to be false`;
    const required = Array.isArray(inner['required']) ? inner['required'] : [];
    const missing = Object.keys(fields(inner['properties'])).find((name) => !required.includes(name));
    if (requiresAll && missing !== undefined)
      return `${place}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'`;
  }
  return undefined;
}

function isRecursive(root: Fields): boolean {
  const named = (schema: Fields): readonly string[] =>
    [...schemasIn(schema)].flatMap(({ schema: { $ref } }) => (typeof $ref === 'string' ? [$ref] : []));
  const { $defs, ...top } = root;
  const definitions = new Map(Object.entries(fields($defs)).map(([name, each]) => [`#/$defs/${name}`, fields(each)]));
  const leads = (from: string, way: readonly string[]): boolean =>
    from === '#' ||
    way.includes(from) ||
    named(definitions.get(from) ?? {}).some((next) => leads(next, [...way, from]));
  return named(top).some((name) => leads(name, []));
}
