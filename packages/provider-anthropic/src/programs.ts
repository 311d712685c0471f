import type { ToolDefinition } from '@utensil/core';
import type {
  ContentBlockParam,
  Tool,
  ToolChoice as WireToolChoice,
  ToolResultBlockParam,
  ToolUnion,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import type { Turn } from './turns.ts';

// Code that Anthropic runs, and that calls our tools.

/** Lets the model's code call a tool. Undefined if no code may. */
export function withCallers(tools: readonly ToolDefinition[]): ((tool: Tool) => Tool) | undefined {
  const program = tools.map(programOf).find((type) => type !== undefined);
  if (program === undefined) return undefined;
  return (tool) =>
    tool.strict === true || refersToItself(tool) ? tool : { ...tool, allowed_callers: ['direct', program] };
}

type Program = 'code_execution_20260120' | 'code_execution_20260521';

/** A tool of Anthropic's whose code calls tools. */
function programOf(tool: ToolDefinition): Program | undefined {
  const type = tool.type === 'native' ? tool.definition['type'] : undefined;
  return typeof type === 'string' && /^code_execution_(?!2025)\d{8}$/.test(type) ? (type as Program) : undefined;
}

/** The API makes functions of the schemas, and refuses those that have no end. */
function refersToItself({ input_schema }: Tool): boolean {
  return JSON.stringify(input_schema).includes('"$ref"');
}

/** The same tools, called by the model alone: code calls none if one is forced, or if only one may be called. */
export function withoutPrograms(tools: ToolUnion[], choice: WireToolChoice | undefined): ToolUnion[] {
  const isForced = choice?.type === 'any' || choice?.type === 'tool';
  const isSingle = choice !== undefined && 'disable_parallel_tool_use' in choice;
  if (!isForced && !isSingle) return tools;
  return tools.map((tool) => {
    if (!('allowed_callers' in tool) || !('input_schema' in tool)) return tool;
    const { allowed_callers: _, ...rest } = tool;
    return rest;
  });
}

/** Code takes the results of its calls as text alone. */
export function forPrograms(turns: Turn[]): Turn[] {
  const called = new Set(turns.flatMap(({ content }) => content.filter(isOfProgram).map(({ id }) => id)));
  if (called.size === 0) return turns;
  return turns.map((turn) => ({
    ...turn,
    content: turn.content.map((block) =>
      block.type === 'tool_result' && called.has(block.tool_use_id) ? asText(block) : block,
    ),
  }));
}

function isOfProgram(block: ContentBlockParam): block is ToolUseBlockParam {
  return block.type === 'tool_use' && block.caller !== undefined && block.caller.type !== 'direct';
}

function asText(result: ToolResultBlockParam): ToolResultBlockParam {
  if (!Array.isArray(result.content)) return result;
  const content = result.content.map((block) =>
    block.type === 'text' ? block : { type: 'text' as const, text: `[a ${block.type}, which code cannot be given]` },
  );
  return { ...result, content };
}
