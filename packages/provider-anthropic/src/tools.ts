import type { FunctionDefinition, JsonObject, ModelRequest, ToolDefinition } from '@utensil/core';
import { type Chosen, isChosen, getOrInsert, fromWireName, wellFormed, wireName } from '@utensil/core/provider';
import type { Tool, ToolChoice as WireToolChoice, ToolUnion } from '@anthropic-ai/sdk/resources/messages';
import type * as programs from './programs.ts';
import type { strictSchemas } from './strict.ts';

/** Options for tools. */
export interface ToolSettings {
  /** True if the prefix that they are is kept for the next request. Default true. */
  readonly cache?: boolean | undefined;
  /** Tools whose input the API validates. Default none. */
  readonly strict?: Chosen | undefined;
  /** Tools whose input is streamed while it is written, unvalidated. Default none. */
  readonly eagerInput?: Chosen | undefined;
  /** True if code that Anthropic runs, in a native `code_execution` of 2026-01-20 or later, may call the tools. Default false. */
  readonly programmaticCalls?: boolean | undefined;
  /** Search of the API for deferred tools; `false` for a server without one. Default `bm25`. */
  readonly toolSearch?: 'bm25' | 'regex' | false | undefined;
}

/** The same, with the code that makes tools strict or callable by programs, which is loaded only if a tool needs it. */
export interface LoadedSettings extends ToolSettings {
  readonly strictSchemas?: typeof strictSchemas | undefined;
  readonly programs?: typeof programs | undefined;
}

/** Mapped form of each list of tools. Core passes the same list while nothing changes. */
export type KeptTools = WeakMap<readonly ToolDefinition[], ToolUnion[]>;

/** Tools as the API takes them. */
export function toTools(tools: readonly ToolDefinition[], settings: LoadedSettings, kept: KeptTools): ToolUnion[] {
  return getOrInsert(kept, tools, () => wellFormed(marked(withSearch(map(tools, settings), settings), settings)));
}

/** The tool choice. Undefined if the API's default says the same. */
export function toToolChoice({ toolChoice, parallel, tools }: ModelRequest): WireToolChoice | undefined {
  const single = parallel === false && { disable_parallel_tool_use: true };
  if (toolChoice === 'none') return { type: 'none' };
  if (toolChoice === 'required') return { type: 'any', ...single };
  if (toolChoice === 'auto') return single ? { type: 'auto', ...single } : undefined;
  const chosen = tools.find(({ name }) => name === toolChoice.tool);
  return { type: 'tool', name: chosen === undefined ? wireName(toolChoice.tool) : nameOnWire(chosen), ...single };
}

/** The same tools, but a tool that the model is forced to call is not deferred. */
export function withChosen(tools: ToolUnion[], choice: WireToolChoice | undefined): ToolUnion[] {
  if (choice?.type !== 'tool' || !tools.some((tool) => isDeferred(tool) && nameOf(tool) === choice.name)) return tools;
  return tools.map((tool) => (isDeferred(tool) && nameOf(tool) === choice.name ? undeferred(tool) : tool));
}

/** Our name of a tool, by the API's name. A built-in tool has the vendor's name in the API. */
export function ownName(name: string, tools: readonly ToolDefinition[]): string {
  const native = tools.find((tool) => tool.type === 'native' && tool.definition['name'] === name);
  return native?.name ?? fromWireName(name, tools);
}

/** The API's name of a tool. */
export function nameOnWire(tool: ToolDefinition): string {
  const native = tool.type === 'native' ? tool.definition['name'] : undefined;
  return typeof native === 'string' ? native : wireName(tool.name);
}

function map(tools: readonly ToolDefinition[], settings: LoadedSettings): ToolUnion[] {
  const nextSchema = settings.strictSchemas?.();
  const withCallers = settings.programs?.withCallers(tools);
  return tools.map((tool) => {
    if (tool.type === 'native') return tool.definition as JsonObject & ToolUnion;
    const strict = isChosen(tool, settings.strict) ? nextSchema?.(tool) : undefined;
    const told = toTool(tool, strict, settings);
    return withCallers?.(told) ?? told;
  });
}

function toTool(
  tool: FunctionDefinition,
  strict: Tool.InputSchema | undefined,
  { eagerInput, toolSearch }: ToolSettings,
): Tool {
  const { name, description, inputSchema, examples = [], defer } = tool;
  return {
    name: wireName(name),
    description,
    input_schema: strict ?? (inputSchema as Tool.InputSchema),
    ...(examples.length > 0 && { input_examples: [...examples] }),
    ...(strict !== undefined && { strict: true }),
    ...(isChosen(tool, eagerInput) && { eager_input_streaming: true }),
    ...(defer === true && toolSearch !== false && { defer_loading: true }),
  };
}

/** Adds a search for deferred tools, unless the app has its own. */
function withSearch(tools: ToolUnion[], { toolSearch = 'bm25' }: ToolSettings): ToolUnion[] {
  if (toolSearch === false || !tools.some(isDeferred) || tools.some(isSearch)) return tools;
  const search: ToolUnion =
    toolSearch === 'bm25'
      ? { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }
      : { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' };
  return [...tools, search];
}

/** Tools come before the system prompt: where that changes, they are the prefix that stays. A deferred one is not in it. */
function marked(tools: ToolUnion[], { cache = true }: ToolSettings): ToolUnion[] {
  const last = tools.findLastIndex((tool) => !isDeferred(tool));
  if (!cache || last < 0) return tools;
  return tools.map((tool, index) => (index === last ? { cache_control: { type: 'ephemeral' }, ...tool } : tool));
}

function isSearch({ type }: ToolUnion): boolean {
  return String(type).startsWith('tool_search_tool_');
}

function isDeferred(tool: ToolUnion): boolean {
  return 'defer_loading' in tool && tool.defer_loading;
}

function undeferred(tool: ToolUnion): ToolUnion {
  return { ...tool, defer_loading: false } as ToolUnion;
}

function nameOf(tool: ToolUnion): unknown {
  return 'name' in tool ? tool.name : undefined;
}
