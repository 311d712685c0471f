import { plainObjectSchema, wellFormed, wireName } from '@utensil/core';
import type { ToolChoice as WireToolChoice, ToolUnion } from '@anthropic-ai/sdk/resources/messages';
import type { JsonObject, ModelRequest, ToolDefinition } from '@utensil/core';

/** What was made of each list of tools. Core hands out the same list for as long as nothing changed. */
export type KeptTools = WeakMap<readonly ToolDefinition[], ToolUnion[]>;

/** Tools as the API takes them. */
export function toTools(tools: readonly ToolDefinition[], kept: KeptTools): ToolUnion[] {
  const known = kept.get(tools);
  if (known !== undefined) return known;
  const mapped = wellFormed(tools.map(toTool));
  kept.set(tools, mapped);
  return mapped;
}

/** Whether to call tools. Undefined where the API's default says the same. */
export function toToolChoice({ toolChoice, parallel }: ModelRequest): WireToolChoice | undefined {
  const single = parallel === false && { disable_parallel_tool_use: true };
  if (toolChoice === 'none') return { type: 'none' };
  if (toolChoice === 'required') return { type: 'any', ...single };
  if (toolChoice === 'auto') return single ? { type: 'auto', ...single } : undefined;
  return { type: 'tool', name: wireName(toolChoice.tool), ...single };
}

function toTool(tool: ToolDefinition): ToolUnion {
  if (tool.type === 'native') return tool.definition as JsonObject & ToolUnion;
  const { name, description, inputSchema, examples = [] } = tool;
  return {
    name: wireName(name),
    description,
    input_schema: plainObjectSchema(inputSchema),
    ...(examples.length > 0 && { input_examples: [...examples] }),
  };
}
