import { isObject, toJson } from '../base/json.ts';
import type { Json, JsonSchema } from '../base/json.ts';
import { alternatives, dereference, typeOf } from '../schema/walk.ts';
import type { SchemaIssue } from '../schema/schema.ts';

/**
 * Explains invalid arguments to the model: one line per field, with the expected value (from the schema shown to the
 * model, regardless of the validating library) and the actual one.
 */
export function explainIssues(issues: readonly SchemaIssue[], input: unknown, schema: JsonSchema): string {
  return explainIn(issues, { input, root: schema, subject: 'this tool' });
}

/** The same for a part of a tool's input, such as one of several forms. */
export function explainIn(issues: readonly SchemaIssue[], place: Omit<Explaining, 'shown'>): string {
  const explaining: Explaining = { ...place, shown: new Map() };
  const lines = [...new Set(issues.slice(0, mostIssues).flatMap((issue) => explain(issue, explaining)))];
  const shown = lines.slice(0, mostLines).map((line) => `- ${line}`);
  const isMore = lines.length > mostLines || issues.length > mostIssues;
  return [...shown, ...(isMore ? ['- and more of this kind'] : [])].join('\n');
}

const mostIssues = 100;
const mostLines = 10;

/** Maximum number of values in a list. */
const mostListed = 100;

interface Explaining {
  readonly input: unknown;
  readonly root: JsonSchema;
  /** Name of the fields' owner. */
  readonly subject: string;
  /** Values already shown: many issues may concern the same large one. */
  readonly shown: Map<unknown, string>;
}

function explain({ path = [], message }: SchemaIssue, { input, root, subject, shown }: Explaining): readonly string[] {
  const keys = path.map((segment) => (typeof segment === 'object' ? segment.key : segment));
  const value = keys.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key],
    input,
  );
  const schema = locate(root, keys, root);
  const unknown = schema === undefined ? [keys] : unknownFields(schema, value).map((key) => [...keys, key]);
  if (unknown.length > 0) return unknown.map((each) => `${nameOf(each)}: is not a field of ${subject}`);
  const said = message === '' || /^Invalid (?:input|option)/.test(message) ? '' : ` (${message})`;
  const expected = `expected ${describe(schema ?? {}, root)}`;
  const got = value === undefined ? '' : (shown.get(value) ?? show(value));
  shown.set(value, got);
  const came = value === undefined ? `required, ${expected}` : `${expected}, got ${got}`;
  return [`${nameOf(keys)}: ${came}${said}`];
}

/** Members of an object that its closed schema does not define. */
function unknownFields({ properties, additionalProperties }: JsonSchema, value: unknown): readonly string[] {
  if (additionalProperties !== false || !isObject(value)) return [];
  const unknown = Object.keys(value).filter((key) => !isObject(properties) || !Object.hasOwn(properties, key));
  return unknown.slice(0, mostLines + 1);
}

function nameOf(keys: readonly PropertyKey[]): string {
  if (keys.length === 0) return 'input';
  return keys
    .map((key, index) =>
      typeof key === 'number' || /^\d+$/.test(String(key))
        ? `[${String(key)}]`
        : `${index > 0 ? '.' : ''}${String(key)}`,
    )
    .join('');
}

/** The schema of the value at a path; undefined if the schema does not define that place. */
function locate(schema: JsonSchema, keys: readonly PropertyKey[], root: JsonSchema): JsonSchema | undefined {
  let found: readonly JsonSchema[] = [schema];
  for (const key of keys) {
    // Deduplicated: alternatives with the same target would double with every key.
    const choices = new Set(found.flatMap((each) => alternatives(each, root)));
    const inside = [...choices].map((choice) => step(choice, String(key))).filter((each) => each !== undefined);
    found = [...new Set(inside.map((each) => dereference(each, root)))];
  }
  return found[0];
}

function step(schema: JsonSchema, key: string): JsonSchema | undefined {
  const { properties, items, prefixItems, additionalProperties } = schema;
  if (isObject(properties) && Object.hasOwn(properties, key)) return properties[key] as JsonSchema;
  if (/^\d+$/.test(key)) {
    const item = Array.isArray(prefixItems) ? (prefixItems[Number(key)] ?? items) : items;
    if (isObject(item)) return item as JsonSchema;
  }
  return isObject(additionalProperties) ? additionalProperties : undefined;
}

const articles: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

/** A short description of a schema: `a whole number from 1 to 9`, `one of "a", "b"`, `an array of strings`. */
function describe(schema: JsonSchema, root: JsonSchema, depth = 0): string {
  return [...new Set(alternatives(schema, root).map((choice) => describeOne(choice, root, depth)))].join(' or ');
}

function describeOne(schema: JsonSchema, root: JsonSchema, depth: number): string {
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return `one of ${listOf(schema['enum'])}`;
  const type = String(schema['type'] ?? 'a value');
  const noun = articles[type] ?? type;
  if (type === 'array') return `${noun}${bounds(schema, 'Items', ' items')}${itemsOf(schema, root, depth)}`;
  if (type === 'string') {
    const pattern = typeof schema['pattern'] === 'string' ? ` matching ${schema['pattern']}` : '';
    const format = typeof schema['format'] === 'string' ? ` (${schema['format']})` : '';
    return `${noun}${format}${bounds(schema, 'Length', ' characters')}${pattern}`;
  }
  return `${noun}${numberBounds(schema)}`;
}

/** Items of an array: those of a tuple one by one, then the rest. */
function itemsOf({ prefixItems, items, maxItems }: JsonSchema, root: JsonSchema, depth: number): string {
  if (depth >= 2) return '';
  const describeItem = (item: unknown): string =>
    isObject(item) ? describe(item as JsonSchema, root, depth + 1) : 'any value';
  const others = isObject(items) ? `each ${describeItem(items)}` : undefined;
  if (!Array.isArray(prefixItems) || prefixItems.length === 0) return others === undefined ? '' : `, ${others}`;
  const first = prefixItems.slice(0, mostPlaces).map(describeItem);
  const more = prefixItems.length > mostPlaces ? `${prefixItems.length - mostPlaces} more` : undefined;
  const end = items === false || maxItems === prefixItems.length ? 'no more' : others;
  return `: ${[...first, more, end].filter((each) => each !== undefined).join(', then ')}`;
}

/** Maximum number of tuple items to describe. */
const mostPlaces = 10;

function listOf(values: readonly Json[]): string {
  const more = values.length - mostListed;
  const listed = values.slice(0, mostListed).map((value) => JSON.stringify(value));
  return `${listed.join(', ')}${more > 0 ? ` or ${more} others` : ''}`;
}

function bounds(schema: JsonSchema, suffix: string, unit: string): string {
  const [min, max] = [schema[`min${suffix}`], schema[`max${suffix}`]];
  if (min !== undefined && min === max) return ` of exactly ${String(min)}${unit}`;
  if (min !== undefined && max !== undefined) return ` of ${String(min)} to ${String(max)}${unit}`;
  if (min !== undefined) return ` of at least ${String(min)}${unit}`;
  return max === undefined ? '' : ` of at most ${String(max)}${unit}`;
}

/** The bounds that libraries write for "any safe integer" tell a model nothing. */
function meaningful(bound: unknown): boolean {
  return typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}

const numberWords = {
  minimum: 'from',
  exclusiveMinimum: 'above',
  maximum: 'up to',
  exclusiveMaximum: 'below',
  multipleOf: 'in steps of',
};

function numberBounds(schema: JsonSchema): string {
  const known = Object.entries(numberWords).filter(([keyword]) => meaningful(schema[keyword]));
  return known.map(([keyword, words]) => ` ${words} ${String(schema[keyword])}`).join('');
}

/** A value as the model wrote it, truncated if long. */
function show(value: unknown): string {
  const text = JSON.stringify(toJson(value));
  const short = text.length > 80 ? `${text.slice(0, 77)}…` : text;
  const isPlain = value === null || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? short : `the ${typeOf(value)} ${short}`;
}
