import { isObject } from '@utensil/core';
import type { Json, JsonObject, JsonSchema } from '@utensil/core';
import type { ToolList } from '../dialects/dialect.ts';
import type { IndexedTool } from '../read/tool-index.ts';
import { braceValue } from './write-calls.ts';

/** Tools as the chat template of a family lists them. */
export function writeToolList(tools: readonly IndexedTool[], { open, each, between = '\n', close }: ToolList): string {
  return (
    open +
    tools.map((tool) => each.replaceAll(/\{(\w+)\}/g, (whole, form) => write(tool, form) ?? whole)).join(between) +
    close
  );
}

function write({ definition, schema }: IndexedTool, form: string): string | undefined {
  const { name, description, examples } = definition;
  const told = { name, description, parameters: schema, ...(examples !== undefined && { examples }) };
  switch (form) {
    case 'tool':
      return JSON.stringify({ type: 'function', function: told });
    case 'function':
      return JSON.stringify(told);
    case 'name':
      return name;
    case 'description':
      return description;
    case 'schema':
      return JSON.stringify(schema);
    case 'typescript':
      return typescript(told);
    case 'python':
      return python(told);
    case 'braces':
      return braceDeclaration(told, '<|"|>');
    case 'escapes':
      return braceDeclaration(told, '<escape>');
    default:
      return undefined;
  }
}

interface Told {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

function membersOf({
  properties,
  required,
}: JsonSchema): readonly { key: string; schema: JsonSchema; isNeeded: boolean }[] {
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).map(([key, schema]) => ({
    key,
    schema: isObject(schema) ? schema : {},
    isNeeded: needed.includes(key),
  }));
}

function typescript({ name, description, parameters }: Told): string {
  const members = membersOf(parameters).flatMap(({ key, schema, isNeeded }) => [
    ...comment(schema['description']),
    `${key}${isNeeded ? '' : '?'}: ${typescriptType(schema)},`,
  ]);
  const input = members.length === 0 ? '()' : `(_: {\n${members.join('\n')}\n})`;
  return [...comment(description), `type ${name} = ${input} => any;`].join('\n');
}

function comment(text: Json | undefined): readonly string[] {
  return typeof text === 'string' && text !== '' ? text.split('\n').map((line) => `// ${line}`) : [];
}

const plainTypes = new Map([
  ['string', 'string'],
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

const deepest = 8;

function typescriptType(schema: JsonSchema, depth = 0): string {
  const { type, items, enum: listed, anyOf, oneOf } = schema;
  if (depth > deepest) return 'any';
  const inner = (each: unknown): string => (isObject(each) ? typescriptType(each as JsonSchema, depth + 1) : 'any');
  if (Array.isArray(listed)) return listed.map((each) => JSON.stringify(each)).join(' | ');
  const union = anyOf ?? oneOf;
  if (Array.isArray(union)) return union.map(inner).join(' | ');
  if (Array.isArray(type)) return type.map(plainType).join(' | ');
  if (type === 'array') return `${inner(items)}[]`;
  if (type === 'object' || isObject(schema['properties'])) {
    const members = membersOf(schema).map(
      ({ key, schema: own, isNeeded }) => `${key}${isNeeded ? '' : '?'}: ${inner(own)}`,
    );
    return members.length === 0 ? 'object' : `{ ${members.join(', ')} }`;
  }
  return plainType(type);
}

function plainType(type: unknown): string {
  return plainTypes.get(String(type)) ?? 'any';
}

const pythonTypes = new Map([
  ['string', 'str'],
  ['integer', 'int'],
  ['number', 'float'],
  ['boolean', 'bool'],
  ['array', 'list'],
  ['object', 'dict'],
]);

function python({ name, description, parameters }: Told): string {
  const members = membersOf(parameters);
  const typeOf = ({ type }: JsonSchema): string => pythonTypes.get(String(type)) ?? 'Any';
  const head = members.map(({ key, schema, isNeeded }) => `${key}: ${typeOf(schema)}${isNeeded ? '' : ' = None'}`);
  const told = members.map(
    ({ key, schema, isNeeded }) =>
      `    - ${key} (${typeOf(schema)}) [${isNeeded ? 'Required' : 'Optional'}]: ${String(schema['description'] ?? '')}`,
  );
  const doc = [description, ...(told.length > 0 ? ['', '    Args:', ...told] : [])].join('\n');
  return `def ${name}(${head.join(', ')}):\n    """${doc}\n    """`;
}

function braceDeclaration({ name, description, parameters }: Told, quote: string): string {
  const grammar = { kind: 'braces', open: '', close: '', quote } as const;
  return `declaration:${name}${braceValue({ description, parameters: withUpperTypes(parameters) }, grammar)}`;
}

/** The family writes the names of types in capitals. */
function withUpperTypes(schema: JsonObject): JsonObject {
  const change = (key: string, value: Json): Json => {
    if (key === 'type' && typeof value === 'string') return value.toUpperCase();
    if (Array.isArray(value))
      return value.map((item) => (isObject(item) ? withUpperTypes(item as JsonObject) : item)) as Json;
    return isObject(value) ? withUpperTypes(value) : value;
  };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, change(key, value)]));
}
