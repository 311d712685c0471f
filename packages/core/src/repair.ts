import { isObject } from './json.ts';
import type { JsonSchema } from './json.ts';
import { admitsType, alternatives, dereference, typeOf } from './json-schema.ts';

/** A value after repair, and what was done to it, one sentence each. */
export interface Repaired {
  readonly value: unknown;
  readonly repairs: readonly string[];
}

/**
 * Mends what models get wrong in arguments, as their JSON Schema directs: `null` for an absent optional field, one value
 * for an array of them, JSON text for an array or object, `"5"` for 5, `"true"` for true. Nothing else is touched. To be
 * used only on a value that failed validation, and validated again.
 */
export function repair(value: unknown, schema: JsonSchema): Repaired {
  const repairs: string[] = [];
  const repaired = mend(value, { schema, root: schema, path: '', note: (text) => repairs.push(text) });
  return { value: repaired, repairs };
}

interface Place {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  readonly path: string;
  note(text: string): void;
}

function mend(value: unknown, place: Place): unknown {
  const choices = alternatives(place.schema, place.root);
  const fitting = choices.find((choice) => admitsType(choice, value));
  if (fitting !== undefined) return mendInside(value, { ...place, schema: fitting });
  for (const choice of choices) {
    const converted = convert(value, choice, place);
    if (converted === undefined) continue;
    place.note(`${place.path || 'input'}: ${converted.how}`);
    return mendInside(converted.value, { ...place, schema: choice });
  }
  return value;
}

function mendInside(value: unknown, place: Place): unknown {
  if (Array.isArray(value)) return mendItems(value, place);
  return isObject(value) ? mendProperties(value, place) : value;
}

function mendItems(items: readonly unknown[], place: Place): unknown {
  const { items: schema } = place.schema;
  if (!isObject(schema)) return items;
  return items.map((item, index) => mend(item, { ...place, schema: schema, path: `${place.path}[${index}]` }));
}

function mendProperties(value: Record<string, unknown>, place: Place): unknown {
  const properties = place.schema['properties'];
  if (!isObject(properties)) return value;
  const required = Array.isArray(place.schema['required']) ? place.schema['required'] : [];
  const mended: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, key) ? (properties[key] as JsonSchema) : undefined;
    const path = place.path === '' ? key : `${place.path}.${key}`;
    const isAbsent =
      member === null && schema !== undefined && !required.includes(key) && !admitsNull(schema, place.root);
    if (isAbsent) place.note(`${path}: null left out`);
    else mended[key] = schema === undefined ? member : mend(member, { ...place, schema, path });
  }
  return mended;
}

function admitsNull(schema: JsonSchema, root: JsonSchema): boolean {
  return alternatives(schema, root).some((choice) => admitsType(choice, null));
}

interface Converted {
  readonly value: unknown;
  readonly how: string;
}

function convert(value: unknown, schema: JsonSchema, { root }: Place): Converted | undefined {
  const { type } = schema;
  if (typeof value === 'string' && (type === 'array' || type === 'object')) {
    const parsed = parse(value);
    if (typeOf(parsed) === type)
      return { value: parsed, how: `JSON text read as ${type === 'array' ? 'an array' : 'an object'}` };
  }
  if (type === 'array' && value !== null && value !== undefined && admitsItem(schema, value, root)) {
    return { value: [value], how: 'one value put into an array' };
  }
  if ((type === 'number' || type === 'integer') && typeof value === 'string') {
    const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (admitsType(schema, number) && Number.isFinite(number)) return { value: number, how: 'text read as a number' };
  }
  if (type === 'boolean' && (value === 'true' || value === 'false')) {
    return { value: value === 'true', how: 'text read as true or false' };
  }
  return undefined;
}

/** Whether a single value could be an item, as it is or after a conversion of its own. */
function admitsItem(schema: JsonSchema, value: unknown, root: JsonSchema): boolean {
  if (!isObject(schema['items'])) return true;
  const items = dereference(schema['items'], root);
  const wrapped: Place = { schema: items, root, path: '', note: () => undefined };
  const mended = mend(value, wrapped);
  return alternatives(items, root).some((choice) => admitsType(choice, mended));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
