import { isObject } from '@utensil/core';
import { getOrInsert, plainObjectSchema } from '@utensil/core/provider';
import type { FunctionDefinition, JsonSchema, ToolDefinition } from '@utensil/core';

/** A tool as dialects look at it. */
export interface IndexedTool {
  readonly definition: FunctionDefinition;
  readonly schema: JsonSchema;
  /** The schemas of all parameters; for a union of objects, of all its members. */
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  /** Array parameters by their singular: `path` means an item of `paths`. */
  readonly singulars: ReadonlyMap<string, string>;
}

/** The tools of a request by name. */
export type ToolIndex = ReadonlyMap<string, IndexedTool>;

const known = new WeakMap<readonly ToolDefinition[], ToolIndex>();

/** The tools that can be called through text, by name. Tools that a vendor has built in cannot. */
export function indexTools(tools: readonly ToolDefinition[]): ToolIndex {
  return getOrInsert(known, tools, () => {
    const functions = tools.filter((tool): tool is FunctionDefinition => tool.type === 'function');
    return new Map(functions.map((definition) => [definition.name, indexTool(definition)]));
  });
}

function indexTool(definition: FunctionDefinition): IndexedTool {
  const { inputSchema: schema } = definition;
  const whole = Array.isArray(schema['anyOf'] ?? schema['oneOf']) ? plainObjectSchema(schema) : schema;
  const members = isObject(whole['properties']) ? Object.entries(whole['properties']) : [];
  const properties = Object.fromEntries(members.map(([key, value]) => [key, isObject(value) ? value : {}])) as Record<
    string,
    JsonSchema
  >;
  const required = Array.isArray(whole['required']) ? whole['required'].map(String) : [];
  return { definition, schema, properties, required, singulars: singularsOf(properties) };
}

function singularsOf(properties: Readonly<Record<string, JsonSchema>>): ReadonlyMap<string, string> {
  const singulars = new Map<string, string>();
  for (const [key, { type }] of Object.entries(properties)) {
    const singular = singularOf(key);
    const isFree = !Object.hasOwn(properties, singular) && !singulars.has(singular);
    if (type === 'array' && singular !== key && isFree) singulars.set(singular, key);
  }
  return singulars;
}

/** `paths` → `path`, `entries` → `entry`; the word itself if it has no plural ending. */
function singularOf(word: string): string {
  if (word.endsWith('ies') && word.length > 3) return `${word.slice(0, -3)}y`;
  return word.endsWith('s') && !word.endsWith('ss') && word.length > 1 ? word.slice(0, -1) : word;
}

/** The schema of a parameter; undefined if the tool or the parameter is unknown. */
export function parameterSchema(tool: IndexedTool | undefined, key: string): JsonSchema | undefined {
  return tool !== undefined && Object.hasOwn(tool.properties, key) ? tool.properties[key] : undefined;
}
