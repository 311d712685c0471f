import { isUtensilError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { JsonSchema } from '../base/json.ts';
import { meantBranch, toBranches } from '../schema/branches.ts';
import { admitsType, alternatives, typeOf } from '../schema/walk.ts';
import { enter, newWork, spend } from '../schema/validation/work.ts';
import type { Work } from '../schema/validation/work.ts';

/** A repaired value, and the repairs made to it, one sentence each. */
export interface Repaired {
  readonly value: unknown;
  readonly repairs: readonly string[];
}

/**
 * Repairs common mistakes of models in arguments, directed by their JSON Schema: `null` for an absent optional field, a
 * single value for an array of them, JSON text for an array or object, `"5"` for 5, `"true"` for true. Changes nothing
 * else. Only for values that failed validation; the result must be validated again. A value that takes too much work is
 * returned unchanged.
 */
export function repair(value: unknown, schema: JsonSchema): Repaired {
  const repairs: string[] = [];
  const note = (text: string): void => void repairs.push(text);
  try {
    const repaired = mend(value, { schema, root: schema, path: '', work: newWork(), choices: new Map(), note });
    return { value: repaired, repairs };
  } catch (error) {
    if (isUtensilError(error, 'schema_too_costly')) return { value, repairs: [] };
    throw error;
  }
}

interface Place {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  readonly path: string;
  readonly work: Work;
  /** Cache of each schema's alternatives. */
  readonly choices: Map<JsonSchema, readonly JsonSchema[]>;
  note(text: string): void;
}

function mend(value: unknown, place: Place): unknown {
  enter(place.work);
  const mended = mendAs(value, choicesOf(place.schema, place), place);
  place.work.depth--;
  return mended;
}

function choicesOf(schema: JsonSchema, { root, work, choices }: Place): readonly JsonSchema[] {
  const known = choices.get(schema) ?? alternatives(schema, root);
  choices.set(schema, known);
  spend(work, known.length);
  return known;
}

function mendAs(value: unknown, choices: readonly JsonSchema[], place: Place): unknown {
  const admitting = choices.filter((choice) => admitsType(choice, value));
  const fitting = closest(admitting, value);
  if (fitting !== undefined) return mendInside(value, { ...place, schema: fitting });
  for (const choice of choices) {
    const converted = convert(value, choice, place);
    if (converted === undefined) continue;
    place.note(`${place.path || 'input'}: ${converted.how}`);
    return mendInside(converted.value, { ...place, schema: choice });
  }
  return value;
}

/** The alternative that a value was meant for. */
function closest(choices: readonly JsonSchema[], value: unknown): JsonSchema | undefined {
  if (choices.length < 2 || !isObject(value)) return choices[0];
  return (
    meantBranch(value, toBranches(choices))?.schema ?? choices.find((choice) => isMeant(choice, value)) ?? choices[0]
  );
}

/** True if an object has the constants that discriminate one alternative of a union. */
function isMeant({ properties }: JsonSchema, value: Record<string, unknown>): boolean {
  if (!isObject(properties)) return true;
  return Object.entries(properties).every(([key, schema]) => {
    if (!isObject(schema) || !Object.hasOwn(value, key)) return true;
    const allowed = 'const' in schema ? [schema['const']] : schema['enum'];
    return !Array.isArray(allowed) || allowed.includes(value[key]);
  });
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
  const isClosed = place.schema['additionalProperties'] === false; // strict modes fill in the fields of other forms
  const mended: (readonly [string, unknown])[] = [];
  for (const [key, member] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, key) ? (properties[key] as JsonSchema) : undefined;
    const path = place.path === '' ? key : `${place.path}.${key}`;
    const isAbsent =
      member === null && (schema === undefined ? isClosed : !required.includes(key) && !admitsNull(schema, place));
    if (isAbsent) place.note(`${path}: null left out`);
    else mended.push([key, schema === undefined ? member : mend(member, { ...place, schema, path })]);
  }
  return Object.fromEntries(mended);
}

function admitsNull(schema: JsonSchema, place: Place): boolean {
  return choicesOf(schema, place).some((choice) => admitsType(choice, null));
}

interface Converted {
  readonly value: unknown;
  readonly how: string;
}

function convert(value: unknown, schema: JsonSchema, place: Place): Converted | undefined {
  const { type } = schema;
  if (typeof value === 'string' && (type === 'array' || type === 'object')) {
    const parsed = parse(value);
    if (typeOf(parsed) === type)
      return { value: parsed, how: `JSON text read as ${type === 'array' ? 'an array' : 'an object'}` };
  }
  if (type === 'array' && value !== null && value !== undefined && admitsItem(schema, value, place)) {
    return { value: [value], how: 'one value put into an array' };
  }
  return typeof value === 'string' ? fromText(value, schema) : undefined;
}

function fromText(text: string, schema: JsonSchema): Converted | undefined {
  if (schema['type'] === 'boolean' && (text === 'true' || text === 'false')) {
    return { value: text === 'true', how: 'text read as true or false' };
  }
  if (schema['type'] !== 'number' && schema['type'] !== 'integer') return undefined;
  const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) && admitsType(schema, number)
    ? { value: number, how: 'text read as a number' }
    : undefined;
}

/** True if a single value could be an item, directly or parsed from its text. */
function admitsItem({ items }: JsonSchema, value: unknown, place: Place): boolean {
  if (!isObject(items)) return true;
  return choicesOf(items, place).some(
    (choice) => admitsType(choice, value) || (typeof value === 'string' && fromText(value, choice) !== undefined),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
