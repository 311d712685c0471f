import type { Tool, ToolChoice as WireToolChoice, ToolUnion } from '@anthropic-ai/sdk/resources/messages';
import { type JsonObject, type ModelRequest, type ToolDefinition, isObject } from '@utensil/core';

/** What was made of each list of tools. Core hands out the same list for as long as nothing changed. */
export type KeptTools = WeakMap<readonly ToolDefinition[], ToolUnion[]>;

/** Tools as the API takes them. */
export function toTools(tools: readonly ToolDefinition[], kept: KeptTools): ToolUnion[] {
  const known = kept.get(tools);
  if (known !== undefined) return known;
  const mapped = tools.map(toTool);
  kept.set(tools, mapped);
  return mapped;
}

/** Whether to call tools. Undefined where the API's default says the same. */
export function toToolChoice({ toolChoice, parallel }: ModelRequest): WireToolChoice | undefined {
  const single = parallel === false && { disable_parallel_tool_use: true };
  if (toolChoice === 'none') return { type: 'none' };
  if (toolChoice === 'required') return { type: 'any', ...single };
  if (toolChoice === 'auto') return single ? { type: 'auto', ...single } : undefined;
  return { type: 'tool', name: toolChoice.tool, ...single };
}

function toTool(tool: ToolDefinition): ToolUnion {
  if (tool.type === 'native') return tool.definition as JsonObject & ToolUnion;
  const { name, description, inputSchema, examples = [] } = tool;
  return {
    name,
    description,
    input_schema: toInputSchema(inputSchema),
    ...(examples.length > 0 && { input_examples: [...examples] }),
  };
}

const combiners = ['oneOf', 'anyOf', 'allOf'] as const;

/**
 * The API takes an object schema, and refuses a whole request for `oneOf`, `anyOf` or `allOf` at the top of one. Such
 * alternatives become one object with the properties of all of them; the tool's own validation still holds.
 */
function toInputSchema(schema: JsonObject): Tool.InputSchema {
  if (combiners.every((key) => schema[key] === undefined)) return { ...schema, type: 'object' };
  const { oneOf: _1, anyOf: _2, allOf: _3, ...rest } = schema;
  const { properties, required } = flatten(schema, schema);
  return { ...rest, type: 'object', properties, required };
}

interface Flat {
  readonly properties: JsonObject;
  /** What every alternative requires. */
  readonly required: string[];
}

function flatten(schema: JsonObject, root: JsonObject): Flat {
  const own: Flat = {
    properties: isObject(schema['properties']) ? schema['properties'] : {},
    required: Array.isArray(schema['required']) ? schema['required'].map(String) : [],
  };
  return combiners.reduce((flat, key) => {
    const members = Array.isArray(schema[key]) ? schema[key].map((member) => flatten(resolve(member, root), root)) : [];
    const required = members.map((member) => member.required);
    const common =
      key === 'allOf'
        ? required.flat()
        : required.reduce((a, b) => a.filter((name) => b.includes(name)), required[0] ?? []);
    return {
      properties: members.reduce((merged, { properties }) => mergeProperties(merged, properties), flat.properties),
      required: [...new Set([...flat.required, ...common])],
    };
  }, own);
}

function resolve(member: unknown, root: JsonObject): JsonObject {
  if (!isObject(member)) return {};
  const name = /^#\/\$defs\/([^/]+)$/.exec(String(member['$ref']))?.[1];
  const definitions = root['$defs'];
  const target = name !== undefined && isObject(definitions) ? definitions[name] : member;
  return (isObject(target) ? target : {}) as JsonObject;
}

/** A property that differs between alternatives may be any of them. */
function mergeProperties(a: JsonObject, b: JsonObject): JsonObject {
  const merged: Record<string, JsonObject[string]> = { ...a };
  for (const [name, schema] of Object.entries(b)) {
    const known = merged[name];
    if (known === undefined) merged[name] = schema;
    else if (JSON.stringify(known) !== JSON.stringify(schema))
      merged[name] = { anyOf: [...alternatives(known), schema] };
  }
  return merged;
}

function alternatives(schema: JsonObject[string]): readonly JsonObject[string][] {
  const keys = isObject(schema) ? Object.keys(schema) : [];
  return keys.length === 1 && isObject(schema) && Array.isArray(schema['anyOf']) ? schema['anyOf'] : [schema];
}
