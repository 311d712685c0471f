import { isObject, wellFormed } from '@utensil/core';
import type { Json, JsonSchema, ToolDefinition } from '@utensil/core';

/** Characters of all declarations; tools that do not fit in are counted. */
const most = 20_000;

/** Characters of a comment. */
const longestComment = 200;

/** Characters of the type of one field or input; longer ones are `unknown`. */
const longestType = 2_000;

/** Members of an object, or of a union. */
const mostMembers = 50;

/** How deep types are told. */
const deepest = 6;

const identifier = /^[A-Za-z_$][\w$]*$/;

/**
 * TypeScript that declares tools as functions of `tools`, in the order of their names; empty where there are none. What a
 * schema says beyond objects, arrays, enums and unions is `unknown`.
 */
export function declarationsOf(definitions: readonly ToolDefinition[]): string {
  const sorted = definitions.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const lines: string[] = [];
  let left = most;
  for (const line of sorted.map(declarationOf)) {
    left -= line.length;
    if (left < 0) break;
    lines.push(line);
  }
  if (sorted.length === 0) return '';
  const missing = sorted.length - lines.length;
  const rest = missing === 0 ? [] : [`  // and ${missing} more, which take what their own definitions say`];
  return ['declare const tools: {', ...lines, ...rest, '};'].join('\n');
}

function declarationOf(definition: ToolDefinition): string {
  const { name } = definition;
  if (definition.type === 'native') return `  ${keyOf(name)}(input: { [name: string]: unknown }): Promise<unknown>;`;
  const { description, inputSchema } = definition;
  const type = typeOf(inputSchema, 0);
  const mark = isAllOptional(inputSchema) ? '?' : '';
  const input = type === 'unknown' ? '{ [name: string]: unknown }' : type;
  return `  ${commentOf(description)}${keyOf(name)}(input${mark}: ${input}): Promise<unknown>;`;
}

function isAllOptional({ required }: JsonSchema): boolean {
  return !Array.isArray(required) || required.length === 0;
}

function keyOf(name: string): string {
  return identifier.test(name) ? name : JSON.stringify(name);
}

/** On one line, which it cannot end. */
function commentOf(text: Json | undefined): string {
  if (typeof text !== 'string') return '';
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /').trim();
  if (line === '') return '';
  return `/** ${line.length > longestComment ? `${wellFormed(line.slice(0, longestComment))}…` : line} */ `;
}

function typeOf(schema: Json | undefined, depth: number): string {
  if (!isObject(schema) || depth > deepest) return 'unknown';
  const type = wholeTypeOf(schema, depth);
  return type.length > longestType && depth > 0 ? 'unknown' : type;
}

function wholeTypeOf(schema: JsonSchema, depth: number): string {
  const { const: constant, enum: values, anyOf, oneOf, type } = schema;
  if (constant !== undefined) return unionOf([literalOf(constant)]);
  if (Array.isArray(values)) return unionOf(values.map(literalOf));
  const options: unknown = anyOf ?? oneOf;
  if (Array.isArray(options)) return unionOf(options.map((option: Json) => typeOf(option, depth + 1)));
  if (Array.isArray(type)) return unionOf(type.map((each: Json) => plainTypeOf(each, schema, depth)));
  return plainTypeOf(type, schema, depth);
}

function plainTypeOf(type: Json | undefined, schema: JsonSchema, depth: number): string {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return arrayOf(typeOf(schema['items'], depth + 1));
    case 'object':
      return objectOf(schema, depth);
    default:
      return 'unknown';
  }
}

function arrayOf(item: string): string {
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
}

function objectOf({ properties, required, additionalProperties }: JsonSchema, depth: number): string {
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(isObject(properties) ? properties : {});
  const members = fields.slice(0, mostMembers).map(([name, schema]) => {
    const comment = isObject(schema) ? commentOf(schema['description']) : '';
    return `${comment}${keyOf(name)}${needed.includes(name) ? '' : '?'}: ${typeOf(schema, depth + 1)}`;
  });
  if (fields.length > mostMembers) members.push('[name: string]: unknown');
  else if (fields.length === 0 && additionalProperties !== false)
    members.push(`[name: string]: ${typeOf(additionalProperties, depth + 1)}`);
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`;
}

/** Each once, in their order. */
function unionOf(types: readonly string[]): string {
  const each = [...new Set(types)];
  return each.length === 0 || each.length > mostMembers || each.includes('unknown') ? 'unknown' : each.join(' | ');
}

function literalOf(value: Json): string {
  return typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value);
}
