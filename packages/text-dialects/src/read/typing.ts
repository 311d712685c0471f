import { isObject } from '@utensil/core';
import type { Json, JsonSchema } from '@utensil/core';
import { jsonIn } from './skim-json.ts';
import type { Typed } from './skim-json.ts';

// Grammars without types of their own (tags and lines) have values as text. The schema of the parameter decides the
// meaning of a text: this is reading, not repair, which core does afterwards.

/** The types that a schema allows; empty if it does not restrict them. */
export function typesOf(schema: JsonSchema | undefined, root: JsonSchema): ReadonlySet<string> {
  const types = new Set<string>();
  const found = new Set([schema]);
  for (const each of found) {
    // Unions and references add to it meanwhile: each schema once, because one may refer to itself.
    if (each === undefined) return new Set();
    const { $ref, anyOf, oneOf } = each;
    const union = each['type'] === undefined ? (anyOf ?? oneOf) : undefined;
    if (typeof $ref === 'string') found.add(resolve($ref, root));
    else if (Array.isArray(union))
      for (const member of union) found.add(isObject(member) ? (member as JsonSchema) : undefined);
    else {
      const own = ownTypesOf(each);
      if (own.length === 0) return new Set();
      for (const type of own) types.add(type);
    }
  }
  return types;
}

/** Types of other schema languages. */
const aliases: Readonly<Record<string, string>> = {
  float: 'number',
  double: 'number',
  decimal: 'number',
  int: 'integer',
  long: 'integer',
  str: 'string',
  text: 'string',
  bool: 'boolean',
  list: 'array',
  tuple: 'array',
  dict: 'object',
  map: 'object',
};

function aliased(type: unknown): string {
  const name = String(type);
  return Object.hasOwn(aliases, name.toLowerCase()) ? (aliases[name.toLowerCase()] ?? name) : name;
}

function ownTypesOf(schema: JsonSchema): readonly string[] {
  const { type, enum: listed } = schema;
  if (typeof type === 'string') return [aliased(type)];
  if (Array.isArray(type)) return type.map(aliased);
  return (Array.isArray(listed) ? listed : 'const' in schema ? [schema['const']] : []).map(typeOf);
}

/** The schema that a local reference points to. */
function resolve($ref: string, root: JsonSchema): JsonSchema | undefined {
  let found: unknown = root;
  for (const token of $ref.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return isObject(found) ? (found as JsonSchema) : undefined;
}

/** A schema with its reference followed. */
export function dereferenced(schema: JsonSchema | undefined, root: JsonSchema): JsonSchema | undefined {
  let current = schema;
  for (let hops = 0; hops < 8 && typeof current?.['$ref'] === 'string'; hops++)
    current = resolve(current['$ref'], root);
  return current;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function fits(value: Json, types: ReadonlySet<string>): boolean {
  const type = typeOf(value);
  if (type === 'number' && types.has('integer') && Number.isInteger(value)) return true;
  return types.size === 0 || types.has(type);
}

/** True if a parameter's text is its value: it allows only strings, or is unknown. */
export function isText(schema: JsonSchema | undefined, root: JsonSchema): boolean {
  const types = typesOf(schema, root);
  return schema === undefined || (types.size === 1 && types.has('string'));
}

/** The schema of the items of an array: texts, if it does not say. */
export function itemsOf(schema: JsonSchema | undefined): JsonSchema {
  return (schema?.['items'] ?? { type: 'string' }) as JsonSchema;
}

/** A parameter whose text is read. */
export interface Slot {
  readonly key: string;
  readonly schema: JsonSchema | undefined;
  readonly root: JsonSchema;
  /** The text is the only item of an array already: an array of itself would have no end. */
  readonly isOnlyItem?: true;
}

/** The value that a text means. */
export function fromText(text: string, slot: Slot): Typed {
  if (isText(slot.schema, slot.root)) return { value: text };
  const types = typesOf(slot.schema, slot.root);
  const trimmed = text.trim();
  if (types.has('boolean') && /^(?:true|false)$/i.test(trimmed)) return { value: trimmed.toLowerCase() === 'true' };
  const read = jsonIn(trimmed);
  if (read !== undefined && 'value' in read && fits(read.value, types)) return read;
  if (read !== undefined && 'problem' in read && !types.has('string'))
    return { problem: `Failed to read parameter '${slot.key}': ${read.problem}` };
  if (types.size === 0 || types.has('string')) return { value: text };
  return fromMarkup(trimmed, slot, types) ?? misfit(text, slot.key, types);
}

function fromMarkup(text: string, slot: Slot, types: ReadonlySet<string>): Typed | undefined {
  const schema = dereferenced(slot.schema, slot.root);
  if (types.has('array')) return arrayFrom(text, { ...slot, schema });
  return types.has('object') && text.startsWith('<') ? objectFrom(text, { ...slot, schema }) : undefined;
}

/** An array that is not JSON: nothing, `<item>` elements, or its one item. */
function arrayFrom(text: string, { key, schema, root, isOnlyItem }: Slot): Typed {
  const items = isObject(schema?.['items']) ? schema['items'] : { type: 'string' };
  const slot = { key, schema: items, root };
  if (text === '') return { value: [] };
  const elements = text.startsWith('<item>') ? elementsOf(text) : undefined;
  if (elements?.every(([name]) => name === 'item') === true)
    return all(elements.map(([, inner]) => fromText(inner, slot)));
  const isItem = isOnlyItem === undefined && !text.startsWith('[');
  return isItem ? all([fromText(text, { ...slot, isOnlyItem: true })]) : misfit(text, key, new Set(['array']));
}

function objectFrom(text: string, { key, schema, root }: Slot): Typed | undefined {
  const elements = elementsOf(text);
  if (elements === undefined) return undefined;
  const properties = isObject(schema?.['properties']) ? (schema['properties'] as Record<string, JsonSchema>) : {};
  const members: [string, Json][] = [];
  for (const [name, inner] of elements) {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const typed = fromText(inner, { key: `${key}.${name}`, schema: member, root });
    if ('problem' in typed) return typed;
    members.push([name, typed.value]);
  }
  return { value: Object.fromEntries(members) };
}

function all(values: readonly Typed[]): Typed {
  const wrong = values.find((each) => 'problem' in each);
  return wrong ?? { value: values.map((each) => ('value' in each ? each.value : null)) };
}

/** The elements of a text, with nothing else between them; undefined if it has another form. */
function elementsOf(text: string): readonly (readonly [name: string, inner: string])[] | undefined {
  const elements: (readonly [string, string])[] = [];
  let at = 0;
  while (at < text.length) {
    const nameEnd = text.indexOf('>', at);
    if (text[at] !== '<' || nameEnd < 0) return undefined;
    const name = text.slice(at + 1, nameEnd);
    const close = `</${name}>`;
    const end = text.indexOf(close, nameEnd);
    if (end < 0) return undefined;
    elements.push([name, text.slice(nameEnd + 1, end)]);
    at = end + close.length;
    while (at < text.length && text.charAt(at).trim() === '') at++;
  }
  return elements;
}

function misfit(text: string, key: string, types: ReadonlySet<string>): Typed {
  const type = [...types].join(' or ');
  const shown = text.length > 80 ? `${text.slice(0, 77)}…` : text;
  return { problem: `Failed to parse '${shown}' as ${type} for parameter '${key}'` };
}

/** The text of a value, such that {@link fromText} gives the value again. */
export function toText(value: Json, schema: JsonSchema | undefined, root: JsonSchema): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (isText(schema, root)) return value;
  const read = fromText(value, { key: '', schema, root });
  return 'value' in read && read.value === value ? value : JSON.stringify(value);
}
