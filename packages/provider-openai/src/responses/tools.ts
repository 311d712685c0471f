import {
  type FunctionDefinition,
  type ModelRequest,
  type NativeDefinition,
  type ToolChoice,
  type ToolDefinition,
  UtensilError,
  isObject,
} from '@utensil/core';
import { memoize, wellFormed, withExamples, wireName } from '@utensil/core/provider';
import type { FunctionTool, ResponseCreateParamsStreaming, Tool } from 'openai/resources/responses/responses';
import type { SchemaOf } from '../strict.ts';

type Body = ResponseCreateParamsStreaming;

/** Options for tools. */
export interface ToolSettings {
  readonly modelId: string;
  /** For tools whose arguments the API holds to their schema. Default none. */
  readonly schemaOf?: SchemaOf | undefined;
  /** True if the API searches deferred tools. Default: for models that can, from gpt-5.4 on. */
  readonly toolSearch?: boolean | undefined;
}

/** True if a model searches deferred tools. */
export function searchesTools({ modelId, toolSearch }: ToolSettings): boolean {
  return toolSearch ?? /^(?:ft:)?gpt-(?:5\.(?:[4-9]|\d\d)|[6-9]|\d\d)/.test(modelId);
}

/** Maps tools to those of the API, and each list of them once. */
export function toolsMapper(settings: ToolSettings): (tools: readonly ToolDefinition[]) => Tool[] {
  const searches = searchesTools(settings);
  return memoize((tools: readonly ToolDefinition[]) => {
    const callers: Callers = tools.some(runsPrograms) ? { allowed_callers: ['direct', 'programmatic'] } : {};
    const mapped = tools.map((tool) =>
      tool.type === 'native' ? toNativeTool(tool) : { ...toFunction(tool), ...callers },
    );
    return wellFormed(withSearch(mapped));
  });

  function toFunction(definition: FunctionDefinition): FunctionTool {
    const strict = settings.schemaOf?.(definition);
    return {
      type: 'function',
      name: wireName(definition.name),
      description: withExamples(definition),
      parameters: strict ?? definition.inputSchema,
      // Without it the API makes every schema strict if it can, and the model then fills in optional properties.
      strict: strict !== undefined,
      ...(definition.defer === true && searches && { defer_loading: true }),
    };
  }
}

type Callers = Pick<FunctionTool, 'allowed_callers'>;

/** True for programs that the model runs at OpenAI: their purpose is to call the tools. */
function runsPrograms(tool: ToolDefinition): boolean {
  return tool.type === 'native' && tool.definition['type'] === 'programmatic_tool_calling';
}

/** Members of a request that concern tools, other than the list of tools. */
export function toolSettings({ toolChoice, tools, parallel }: ModelRequest): Partial<Body> {
  return {
    ...(toolChoice !== 'auto' && { tool_choice: toToolChoice(toolChoice, tools) }),
    ...(parallel === false && { parallel_tool_calls: false }),
  };
}

/** The same tools, but a tool that the model is forced to call is not deferred. */
export function withChosen(tools: Tool[], choice: ToolChoice): Tool[] {
  const name = typeof choice === 'string' ? undefined : wireName(choice.tool);
  const isMeant = (tool: Tool): boolean => isDeferred(tool) && 'name' in tool && tool.name === name;
  if (name === undefined || !tools.some(isMeant)) return tools;
  return tools.map((tool) => (isMeant(tool) ? ({ ...tool, defer_loading: false } as Tool) : tool));
}

/** Adds a search for deferred tools, unless the app has its own. */
function withSearch(tools: Tool[]): Tool[] {
  const hasSearch = tools.some(({ type }) => type === 'tool_search');
  return hasSearch || !tools.some(isDeferred) ? tools : [...tools, { type: 'tool_search' }];
}

function isDeferred(tool: Tool): boolean {
  return 'defer_loading' in tool && tool.defer_loading;
}

function toNativeTool({ name, definition }: NativeDefinition): Tool {
  const { type, environment } = definition;
  const isLocal = isObject(environment) && environment['type'] === 'local';
  if (!runByClients.has(String(type)) && !isLocal) return definition as object as Tool;
  const message = `The tool ${name} cannot be ${String(type)} of OpenAI's, whose calls are not calls of functions: define it as a function.`;
  throw new UtensilError('model_request_invalid', message);
}

/** Built-in tools whose work is left to us, each with a result of its own shape. */
const runByClients: ReadonlySet<string> = new Set(['apply_patch', 'computer', 'computer_use_preview', 'local_shell']);

function toToolChoice(choice: ToolChoice, tools: readonly ToolDefinition[]): NonNullable<Body['tool_choice']> {
  if (typeof choice === 'string') return choice;
  const chosen = tools.find((tool) => tool.name === choice.tool);
  if (chosen?.type !== 'native') return { type: 'function', name: wireName(choice.tool) };
  const { type, name, server_label } = chosen.definition;
  const named = { type, ...(name !== undefined && { name }), ...(server_label !== undefined && { server_label }) };
  return named as object as NonNullable<Body['tool_choice']>;
}
