import { isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Assertion, Rule } from './evaluate.ts';
import type { FormatCheck } from './formats.ts';
import type { Matcher } from './pattern/matcher.ts';

/** A keyword of JSON Schema: its operand and its assertion. */
export interface Keyword {
  readonly takes: Shape;
  /** Undefined if the operand asserts nothing. */
  readonly assert: (operand: never, place: SchemaPlace) => Assertion | undefined;
}

export interface Keywords {
  readonly [keyword: string]: Keyword;
}

/** The surrounding schema during compilation. */
export interface SchemaPlace {
  readonly schema: JsonObject;
  /** Rule for members of the value. */
  rule(schema: Json): Rule;
  /** Rule for the same value. */
  sameValue(schema: Json): Rule;
  /** Rule of a `$ref` target. */
  target(reference: string): Rule;
  pattern(source: string): Matcher;
  format(name: string): FormatCheck | undefined;
}

/** Forms of operands, for error messages. */
const shapes = {
  anything: () => true,
  'a string': (operand: Json) => typeof operand === 'string',
  'a number': isNumber,
  'a number above 0': (operand: Json) => isNumber(operand) && operand > 0,
  'a whole number from 0': (operand: Json) => Number.isInteger(operand) && (operand as number) >= 0,
  'true or false': (operand: Json) => typeof operand === 'boolean',
  'a list': Array.isArray,
  'a list of strings': isNames,
  'a schema': isSchema,
  'a schema or a list of schemas': (operand: Json) => isSchema(operand) || isSchemas(operand),
  'a list of schemas': isSchemas,
  'an object of schemas': (operand: Json) => isObject(operand) && Object.values(operand).every(isSchema),
  'an object of lists of strings': (operand: Json) => isObject(operand) && Object.values(operand).every(isNames),
  'an object of schemas or lists of strings': (operand: Json) =>
    isObject(operand) && Object.values(operand).every((each) => isSchema(each) || isNames(each)),
  'one or more of "string", "number", "integer", "boolean", "object", "array", "null"': (operand: Json) =>
    (Array.isArray(operand) ? operand : [operand]).every((each) => types.has(each)),
} satisfies Record<string, (operand: Json) => boolean>;

export type Shape = keyof typeof shapes;

const types: ReadonlySet<Json> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** Checks the form of an operand. */
export function hasShape(operand: Json, shape: Shape): boolean {
  return shapes[shape](operand);
}

export function isSchema(value: unknown): value is JsonObject | boolean {
  return isObject(value) || typeof value === 'boolean';
}

function isSchemas(value: unknown): boolean {
  return Array.isArray(value) && value.every(isSchema);
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
