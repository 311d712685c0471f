import { UtensilError } from './errors.ts';
import { fingerprint } from './hash.ts';
import { canonicalJson } from './json.ts';
import type { Json, JsonSchema } from './json.ts';
import type { Api, FunctionDefinition, ToolDefinition } from './model.ts';
import { readOptions } from './option.ts';
import type { OptionValue } from './option.ts';
import { toJsonSchema } from './schema.ts';
import type { Schema } from './schema.ts';
import type { Tool } from './tool.ts';

/** A tool with its user's options applied: what is derived from both, derived once. */
export interface CompiledTool {
  readonly tool: Tool;
  /** The values in force, without secrets. */
  readonly options: Record<string, OptionValue>;
  readonly input: Schema;
  readonly inputSchema: JsonSchema;
  /** What a model of this api is told: the vendor's own definition where the tool has one. The same object every time. */
  definition(api: Api): ToolDefinition;
  /** Identifies the portable definition and the effects. */
  fingerprint(): Promise<string>;
}

/** The last compilation of each tool: a request compiles nothing while no option changed. */
const latest = new WeakMap<Tool, { readonly key: string; readonly compiled: CompiledTool }>();

/**
 * Compiles a tool for stored option values. The same object while the values in force are the same.
 *
 * @throws `invalid_tool`, `schema_unsupported`, and whatever the tool's own functions throw.
 */
export function compileTool(tool: Tool, stored: { readonly [id: string]: Json } = {}): CompiledTool {
  const options = readOptions(tool.options ?? {}, stored);
  const key = canonicalJson(options);
  const known = latest.get(tool);
  if (known?.key === key) return known.compiled;
  const compiled = compile(tool, options);
  latest.set(tool, { key, compiled });
  return compiled;
}

function compile(tool: Tool, options: Record<string, OptionValue>): CompiledTool {
  const input =
    typeof tool.input === 'function' && !('~standard' in tool.input) ? tool.input(options) : (tool.input as Schema);
  const inputSchema = toJsonSchema(input);
  if (inputSchema['type'] !== 'object') {
    throw new UtensilError(
      'invalid_tool',
      `The input of tool "${tool.name}" must be an object; its schema says ${JSON.stringify(inputSchema['type'] ?? inputSchema)}.`,
    );
  }
  const portable: FunctionDefinition = {
    type: 'function',
    name: tool.name,
    description: typeof tool.description === 'function' ? tool.description(options) : tool.description,
    inputSchema,
    ...(tool.examples && { examples: tool.examples }),
  };
  const byApi = new Map<Api, ToolDefinition>();
  let print: Promise<string> | undefined;
  return {
    tool,
    options,
    input,
    inputSchema,
    definition(api) {
      const definition = byApi.get(api) ?? nativeDefinition(tool, options, api) ?? portable;
      byApi.set(api, definition);
      return definition;
    },
    fingerprint: () =>
      (print ??= fingerprint({ ...portable, effects: typeof tool.effects === 'string' ? tool.effects : null })),
  };
}

function nativeDefinition(tool: Tool, options: Record<string, OptionValue>, api: Api): ToolDefinition | undefined {
  const definition = tool.native && Object.hasOwn(tool.native, api) ? tool.native[api]?.(options) : undefined;
  return definition && { type: 'native', name: tool.name, definition };
}
