import { UtensilError } from '../base/errors.ts';
import { canonicalJson } from '../base/json.ts';
import type { Json, JsonSchema } from '../base/json.ts';
import { admitsOnlyObjects } from '../schema/only-objects.ts';
import { assertBounded, dereference } from '../schema/walk.ts';
import type { Api, FunctionDefinition, ToolDefinition } from '../model/model.ts';
import { readOptions } from '../tool/option.ts';
import type { OptionValue } from '../tool/option.ts';
import { toJsonSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';
import type { Tool } from '../tool/tool.ts';

/** A tool with its user's options applied: what is derived from both, derived once. */
export interface CompiledTool {
  readonly tool: Tool;
  /** The values in force, without secrets. */
  readonly options: Record<string, OptionValue>;
  readonly input: Schema;
  readonly inputSchema: JsonSchema;
  /** The definition for a model of any API. */
  readonly portable: FunctionDefinition;
  /** The definition for a model of this API: the vendor's own, if the tool has one. The same object every time. */
  definition(api: Api): ToolDefinition;
  /** The options whose values the host keeps. */
  readonly secrets: readonly string[];
  /** The members that each of its prepared calls has. */
  readonly ofEachCall: Readonly<CommonMembers>;
  /** Its fingerprint, once `fingerprintOf` has computed it. */
  print: string | undefined;
}

/** Members that all calls of a tool share. */
export interface CommonMembers {
  readonly openWorld: boolean;
  readonly idempotent: boolean;
  /** The tool has no `execute`: the client answers. */
  readonly clientAnswers: boolean;
  readonly icon?: string;
  /** The tool's category in settings. */
  readonly category?: string;
  /** Former names of the tool. */
  readonly formerNames?: readonly string[];
  /** May be run again with the results that its inner calls had. */
  readonly replayable?: boolean;
  /** It is part of how the app works, and on no settings page: while it only reads nobody is asked, but a policy may deny it. */
  readonly internal?: boolean;
  /** Others wrote its definition, and may change it. */
  readonly foreign?: boolean;
  /** Calls of its tool that may run at once. */
  readonly concurrency?: number;
  /** Time limit of the tool, in milliseconds; 0: none. Absent: the run's. */
  readonly timeoutMs?: number;
}

/** The compilations of each tool, the latest for as many settings: a request compiles nothing while no option changed. */
const known = new WeakMap<Tool, Map<string, CompiledTool>>();
const mostKnown = 16;

/**
 * Compiles a tool for stored option values. The same object while the values in force are the same.
 *
 * @throws `invalid_tool`, `schema_unsupported`, and whatever the tool's own functions throw.
 */
export function compileTool(tool: Tool, stored: { readonly [id: string]: Json } = {}): CompiledTool {
  const options = readOptions(tool.options ?? {}, stored);
  const key = canonicalJson(options);
  const ofTool = known.get(tool) ?? new Map<string, CompiledTool>();
  const compiled = ofTool.get(key) ?? compile(tool, Object.freeze(options));
  ofTool.delete(key); // behind the others: the one that was asked for longest ago goes first
  known.set(tool, ofTool.set(key, compiled));
  for (const oldest of ofTool.keys()) if (ofTool.size > mostKnown) ofTool.delete(oldest);
  return compiled;
}

function compile(tool: Tool, options: Record<string, OptionValue>): CompiledTool {
  const input = isSchema(tool.input) ? tool.input : tool.input(options);
  const inputSchema = objectSchema(tool.name, toJsonSchema(input));
  const portable: FunctionDefinition = {
    type: 'function',
    name: tool.name,
    description: typeof tool.description === 'function' ? tool.description(options) : tool.description,
    inputSchema,
    ...(tool.examples && { examples: tool.examples }),
    ...(tool.defer === true && { defer: true }),
    ...(tool.group !== undefined && { group: tool.group }),
    ...(typeof tool.effects === 'string' && { effects: tool.effects }),
  };
  const native = nativeDefinitions(tool, options);
  const secrets = Object.keys(tool.options ?? {}).filter((id) => tool.options?.[id]?.kind === 'secret');
  return {
    tool,
    options,
    input,
    inputSchema,
    portable,
    definition: (api) => native.get(api) ?? portable,
    secrets,
    ofEachCall: commonMembers(tool),
    print: undefined,
  };
}

function commonMembers(tool: Tool): CommonMembers {
  return {
    openWorld: tool.openWorld ?? false,
    idempotent: tool.idempotent ?? false,
    clientAnswers: tool.execute === undefined,
    ...(tool.ui?.icon !== undefined && { icon: tool.ui.icon }),
    ...(tool.ui?.category !== undefined && { category: tool.ui.category }),
    ...(tool.formerNames && { formerNames: tool.formerNames }),
    ...(tool.replayable === true && { replayable: true }),
    ...(tool.internal === true && { internal: true }),
    ...(tool.foreign === true && { foreign: true }),
    ...(tool.concurrency !== undefined && { concurrency: tool.concurrency }),
    ...(tool.timeoutMs !== undefined && { timeoutMs: tool.timeoutMs }),
  };
}

function isSchema(input: Tool['input']): input is Schema {
  return '~standard' in input;
}

/** The schema of an object, or of a union of objects, its root spelled out: some libraries write it as a reference. */
function objectSchema(name: string, schema: JsonSchema): JsonSchema {
  assertBounded(schema);
  const { $ref: _, ...rest } = schema;
  const root = '$ref' in schema ? { ...rest, ...dereference(schema, schema) } : schema;
  if (root['type'] === 'object') return root;
  if (root['type'] === undefined && admitsOnlyObjects(root)) return { type: 'object', ...root };
  const said = JSON.stringify(root['type'] ?? 'no type');
  throw new UtensilError(
    'invalid_tool',
    `The input of tool "${name}" must be an object; its schema says ${said}. Make it a field of an object.`,
  );
}

function nativeDefinitions(
  { name, native = {} }: Tool,
  options: Record<string, OptionValue>,
): ReadonlyMap<Api, ToolDefinition> {
  const definitions = Object.entries(native).flatMap(([api, define]): readonly [Api, ToolDefinition][] => {
    const definition = define(options);
    return definition === undefined ? [] : [[api, { type: 'native', name, definition }]];
  });
  return new Map(definitions);
}
