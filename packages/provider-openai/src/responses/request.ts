import {
  type ModelRequest,
  type NativeDefinition,
  type ToolChoice,
  type ToolDefinition,
  UtensilError,
  isObject,
  plainObjectSchema,
  wellFormed,
  wireName,
} from '@utensil/core';
import type { Reasoning } from 'openai/resources/shared';
import type { ResponseCreateParamsStreaming, Tool } from 'openai/resources/responses/responses';
import { describe } from '../definition.ts';
import { remembering } from '../memory.ts';
import { effortFor, neverReasons } from '../reasoning.ts';
import { historyMapper } from './history.ts';

type Body = ResponseCreateParamsStreaming;
type Draft = Omit<Body, 'stream'>;

/** What the Responses API is told beyond the request. */
export interface ResponsesSettings {
  readonly modelId: string;
  readonly reasoningSummary?: 'auto' | 'concise' | 'detailed';
}

/**
 * Maps requests to bodies of the Responses API. Nothing is stored at OpenAI: the whole conversation goes with every
 * request, the model's encrypted reasoning in it. Messages and tools that were mapped once are not mapped again.
 */
export function responsesMapper(settings: ResponsesSettings): (request: ModelRequest) => Body {
  const toTools = remembering((tools: readonly ToolDefinition[]) => wellFormed(tools.map(toTool)));
  const toInput = historyMapper(settings.modelId);
  const include: Draft = neverReasons(settings.modelId) ? {} : { include: ['reasoning.encrypted_content'] };
  return function toRequest(request) {
    const { system, messages, tools, maxOutputTokens, providerOptions } = request;
    const body: Draft = { model: settings.modelId };
    if (system !== '') body.instructions = wellFormed(system);
    body.input = toInput(messages);
    if (tools.length > 0) Object.assign(body, { tools: toTools(tools) }, toolSettings(request));
    if (maxOutputTokens !== undefined) body.max_output_tokens = maxOutputTokens;
    const reasoning = toReasoning(request, settings);
    if (reasoning !== undefined) body.reasoning = reasoning;
    return Object.assign(body, { store: false }, include, providerOptions, { stream: true as const });
  };
}

function toTool(definition: ToolDefinition): Tool {
  if (definition.type === 'native') return toNativeTool(definition);
  return {
    type: 'function',
    name: wireName(definition.name),
    description: describe(definition),
    parameters: plainObjectSchema(definition.inputSchema),
    // Without it the API makes every schema strict that it can, and the model then fills in what is optional.
    strict: false,
  };
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

function toolSettings({ toolChoice, tools, parallel }: ModelRequest): Partial<Body> {
  return {
    ...(toolChoice !== 'auto' && { tool_choice: toToolChoice(toolChoice, tools) }),
    ...(parallel === false && { parallel_tool_calls: false }),
  };
}

function toToolChoice(choice: ToolChoice, tools: readonly ToolDefinition[]): NonNullable<Body['tool_choice']> {
  if (typeof choice === 'string') return choice;
  const chosen = tools.find((tool) => tool.name === choice.tool);
  if (chosen?.type !== 'native') return { type: 'function', name: wireName(choice.tool) };
  const { type, name, server_label } = chosen.definition;
  const named = { type, ...(name !== undefined && { name }), ...(server_label !== undefined && { server_label }) };
  return named as object as NonNullable<Body['tool_choice']>;
}

function toReasoning({ reasoning }: ModelRequest, settings: ResponsesSettings): Reasoning | undefined {
  const effort = effortFor(settings.modelId, reasoning);
  const summary = neverReasons(settings.modelId) ? undefined : settings.reasoningSummary;
  if (effort === undefined && summary === undefined) return undefined;
  return { ...(effort && { effort }), ...(summary && { summary }) };
}
