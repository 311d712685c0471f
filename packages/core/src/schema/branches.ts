import { isContainer, isObject } from '../base/json.ts';
import type { Json, JsonObject, JsonSchema } from '../base/json.ts';
import { alternatives } from './walk.ts';

/** One of the objects that a union of objects admits. */
export interface Branch {
  readonly schema: JsonSchema;
  readonly fields: { readonly [name: string]: Json };
  readonly required: readonly string[];
  /** Fields with fixed values that distinguish it from the others. */
  readonly marks: ReadonlyMap<string, readonly Json[]>;
}

/** Branches of a schema that is a union of objects with fields; empty for any other schema. */
export function branchesOf(root: JsonSchema): readonly Branch[] {
  if (!Array.isArray(root['anyOf'] ?? root['oneOf'])) return [];
  return toBranches(alternatives(root, root));
}

/** Alternatives as branches; empty if one of them is not an object with fields. */
export function toBranches(schemas: readonly JsonSchema[]): readonly Branch[] {
  if (schemas.length < 2 || !schemas.every(hasFields)) return [];
  const marks = markNames(schemas.map(({ properties }) => properties));
  return schemas.map((schema) => ({
    schema,
    fields: schema.properties,
    required: Array.isArray(schema['required']) ? schema['required'].map(String) : [],
    marks: new Map(marks.map((name) => [name, literalsOf(schema.properties[name]) ?? []])),
  }));
}

interface ObjectSchema extends JsonObject {
  readonly properties: JsonObject;
}

function hasFields(schema: JsonSchema): schema is ObjectSchema {
  return isObject(schema['properties']);
}

/** Fields that have a fixed value in every branch, not the same in all. */
function markNames(all: readonly JsonObject[]): readonly string[] {
  return Object.keys(all[0] ?? {}).filter((name) => {
    const values = all.map((fields) => (Object.hasOwn(fields, name) ? literalsOf(fields[name]) : undefined));
    return !values.includes(undefined) && new Set(values.map((each) => JSON.stringify(each))).size > 1;
  });
}

/** The values of an enumerating schema. */
export function literalsOf(schema: Json | undefined): readonly Json[] | undefined {
  if (!isObject(schema)) return undefined;
  const { const: only, enum: listed } = schema;
  const values = only === undefined ? listed : [only];
  return Array.isArray(values) && !values.some(isContainer) ? values : undefined;
}

/**
 * The branch that a value was most likely meant for: its fixed values match, and most of its fields. Undefined if there
 * is a tie.
 */
export function meantBranch(value: Record<string, unknown>, branches: readonly Branch[]): Branch | undefined {
  const fitting = branches.filter((branch) => isMarked(value, branch));
  const scored = fitting.map((branch) => ({ branch, score: scoreOf(value, branch) }));
  const [best, next] = scored.toSorted((a, b) => b.score - a.score);
  if (best === undefined || best.score === next?.score) return undefined;
  const isMarkedByHand = [...best.branch.marks.keys()].some((name) => Object.hasOwn(value, name));
  return isMarkedByHand || best.score > 0 ? best.branch : undefined;
}

function isMarked(value: Record<string, unknown>, { marks }: Branch): boolean {
  return [...marks].every(([name, allowed]) => !Object.hasOwn(value, name) || allowed.includes(value[name] as Json));
}

/** More of its own fields is better, then fewer missing ones, then fewer foreign ones. */
function scoreOf(value: Record<string, unknown>, { fields, required }: Branch): number {
  const keys = Object.keys(value).filter((key) => value[key] !== null);
  const own = keys.filter((key) => Object.hasOwn(fields, key)).length;
  const missing = required.filter((name) => !Object.hasOwn(value, name)).length;
  return 2 * own - missing - (keys.length - own);
}

/** Label of a branch: `action "write"`; its fields if it has no fixed values. */
export function nameOfBranch(branch: Branch): string {
  return markList(branch) || `the form with ${fieldList(branch) || 'no fields'}`;
}

function markList({ marks }: Branch): string {
  return [...marks].map(([name, values]) => `${name} ${listOf(values)}`).join(', ');
}

function listOf(values: readonly Json[]): string {
  return values.map((value) => JSON.stringify(value)).join(' or ');
}

/** `path, range?` */
function fieldList({ fields, required, marks }: Branch): string {
  const names = Object.keys(fields).filter((name) => !marks.has(name));
  return names.map((name) => (required.includes(name) ? name : `${name}?`)).join(', ');
}

/** Branches, one line each: the fields that belong together, which are optional, and the purpose of each branch. */
export function tellBranches(branches: readonly Branch[]): string {
  return branches.map((branch) => `- ${lineOf(branch)}`).join('\n');
}

function lineOf(branch: Branch): string {
  const named = [markList(branch), fieldList(branch)].filter((list) => list !== '').join(': ') || 'no fields';
  const { description } = branch.schema;
  const purpose = typeof description === 'string' ? description.replaceAll(/\s+/g, ' ').trim() : '';
  return purpose === '' ? named : `${named} (${purpose})`;
}
