import { isObject } from '@utensil/core';
import type { Json, JsonSchema, ToolDefinition } from '@utensil/core';

/** Maximum characters of all declarations; tools that do not fit are only counted. */
const most = 20_000;

/** Maximum characters of a comment. */
const longestComment = 200;

/** Maximum characters of a field's type; longer ones become `unknown`. */
const longestType = 2_000;

/** Maximum characters of an input type, so that other tools have room. */
const longestInput = 5_000;

/** Maximum number of types in one input, repeated references included. */
const mostTypes = 1_000;

/** Maximum number of members of an object or a union. */
const mostMembers = 50;

/** Maximum depth of types. */
const deepest = 6;

const identifier = /^[A-Za-z_$][\w$]*$/;

/**
 * TypeScript declarations of tools as functions of `tools`, sorted by name; empty if there are none. Schemas other than
 * objects, arrays, enums, unions and internal references become `unknown`.
 */
export function declarationsOf(definitions: readonly ToolDefinition[]): string {
  const sorted = definitions.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const lines: string[] = [];
  let left = most;
  for (const line of sorted.map(declarationOf)) {
    if (line.length > left) continue;
    left -= line.length;
    lines.push(line);
  }
  if (sorted.length === 0) return '';
  const missing = sorted.length - lines.length;
  const rest = missing === 0 ? [] : [`  // and ${missing} more, with inputs as in their own definitions`];
  return ['declare const tools: {', ...lines, ...rest, '};'].join('\n');
}

function declarationOf(definition: ToolDefinition): string {
  const { name } = definition;
  if (definition.type === 'native') return `  ${keyOf(name)}(input: { [name: string]: unknown }): Promise<unknown>;`;
  const { description, inputSchema } = definition;
  const type = typeOf(inputSchema, { root: inputSchema, depth: 0, refs: [], types: { left: mostTypes } });
  const mark = isAllOptional(inputSchema) ? '?' : '';
  const input = type === 'unknown' || type.length > longestInput ? '{ [name: string]: unknown }' : type;
  return `  ${commentOf(description)}${keyOf(name)}(input${mark}: ${input}): Promise<unknown>;`;
}

function isAllOptional({ required, anyOf, oneOf }: JsonSchema): boolean {
  if (Array.isArray(anyOf ?? oneOf)) return false; // ambiguous
  return !Array.isArray(required) || required.length === 0;
}

function keyOf(name: string): string {
  return identifier.test(name) ? name : JSON.stringify(name);
}

/** A single-line comment that the text cannot terminate. */
function commentOf(text: Json | undefined): string {
  if (typeof text !== 'string') return '';
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /').trim();
  if (line === '') return '';
  return `/** ${line.length > longestComment ? `${line.slice(0, longestComment).toWellFormed()}…` : line} */ `;
}

/** Position in a schema. */
interface Place {
  /** Schema of the whole input, the target of references. */
  readonly root: JsonSchema;
  readonly depth: number;
  /** References followed so far. */
  readonly refs: readonly string[];
  readonly types: { left: number };
}

function typeOf(given: Json | undefined, at: Place): string {
  const { schema, place } = referred(given, at);
  if (!isObject(schema) || place.depth > deepest || place.types.left-- <= 0) return 'unknown';
  const type = wholeTypeOf(schema, place);
  return type.length > longestType && place.depth > 0 ? 'unknown' : type;
}

/** The schema that a `$ref` or a single `allOf` member points to; unknown if it is circular. */
function referred(
  schema: Json | undefined,
  place: Place,
): { readonly schema: Json | undefined; readonly place: Place } {
  if (!isObject(schema) || place.depth > deepest) return { schema, place };
  const { $ref: ref, allOf } = schema;
  if (Array.isArray(allOf) && allOf.length === 1) return referred(allOf[0] as Json, below(place));
  if (typeof ref !== 'string') return { schema, place };
  if (place.refs.includes(ref) || place.refs.length > deepest) return { schema: undefined, place };
  return referred(definitionOf(ref, place.root), { ...place, refs: [...place.refs, ref] });
}

/** The schema at a JSON Pointer such as `#/$defs/Filter`. */
function definitionOf(ref: string, root: JsonSchema): Json | undefined {
  if (!ref.startsWith('#/')) return undefined;
  let found: Json | undefined = root;
  for (const name of ref.slice(2).split('/')) {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

function wholeTypeOf(schema: JsonSchema, place: Place): string {
  const { const: constant, enum: values, anyOf, oneOf, type } = schema;
  if (constant !== undefined) return unionOf([literalOf(constant)]);
  if (Array.isArray(values)) return unionOf(values.map(literalOf));
  const options: unknown = anyOf ?? oneOf;
  if (Array.isArray(options)) return unionOf(options.map((option: Json) => typeOf(option, below(place))));
  if (Array.isArray(type)) return unionOf(type.map((each: Json) => plainTypeOf(each, schema, place)));
  return plainTypeOf(type, schema, place);
}

function below(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}

function plainTypeOf(type: Json | undefined, schema: JsonSchema, place: Place): string {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return arrayOf(typeOf(schema['items'], below(place)));
    case 'object':
      return objectOf(schema, place);
    default:
      return 'unknown';
  }
}

function arrayOf(item: string): string {
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
}

function objectOf({ properties, required, additionalProperties }: JsonSchema, place: Place): string {
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(isObject(properties) ? properties : {});
  const members = fields.slice(0, mostMembers).map(([name, schema]) => {
    const comment = isObject(schema) ? commentOf(schema['description']) : '';
    return `${comment}${keyOf(name)}${needed.includes(name) ? '' : '?'}: ${typeOf(schema, below(place))}`;
  });
  if (fields.length > mostMembers) members.push('[name: string]: unknown');
  else if (fields.length === 0 && additionalProperties !== false)
    members.push(`[name: string]: ${typeOf(additionalProperties, below(place))}`);
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`;
}

/** Distinct types in order. */
function unionOf(types: readonly string[]): string {
  const each = [...new Set(types)];
  return each.length === 0 || each.length > mostMembers || each.includes('unknown') ? 'unknown' : each.join(' | ');
}

function literalOf(value: Json): string {
  return typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value);
}
