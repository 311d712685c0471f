import { memoize, wellFormed, withExamples, wireName } from '@utensil/core/provider';
import type { ModelRequest, ToolChoice, ToolDefinition } from '@utensil/core';
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionTool,
  ChatCompletionToolChoiceOption,
} from 'openai/resources/chat/completions';
import { effortFor } from '../reasoning.ts';
import type { SchemaOf } from '../strict.ts';
import { type Extension, messagesMapper } from './history.ts';

type Body = ChatCompletionCreateParamsStreaming;

/** Settings of every request of a model. */
export interface ChatSettings {
  readonly modelId: string;
  /** Default `openai-chat`. */
  readonly api?: string;
  /** For tools whose arguments the API holds to their schema. Default none. */
  readonly schemaOf?: SchemaOf | undefined;
  readonly extend?: Extension;
  /** True if the model accepts audio. Default: judged by its id. */
  readonly audioInput?: boolean | undefined;
}

/** Maps requests to bodies of the Chat Completions API. Messages and tools that were mapped once are not mapped again. */
export function chatMapper(settings: ChatSettings): (request: ModelRequest) => Body {
  const { modelId, api = 'openai-chat', schemaOf, extend, audioInput = modelId.includes('audio') } = settings;
  const toTools = memoize((tools: readonly ToolDefinition[]) =>
    wellFormed(tools.map((tool) => toTool(tool, schemaOf))),
  );
  const toMessages = messagesMapper({ model: { api, id: modelId }, hears: audioInput, extend });
  return function toRequest(request) {
    const { system, messages, tools, maxOutputTokens, providerOptions } = request;
    const effort = effortFor(modelId, request.reasoning);
    return {
      model: modelId,
      messages: toMessages(system, messages),
      ...(tools.length > 0 && { tools: toTools(tools), ...toolSettings(request) }),
      // Reasoning models refuse `max_tokens`; every model of OpenAI's takes this.
      ...(maxOutputTokens !== undefined && { max_completion_tokens: maxOutputTokens }),
      ...(effort && { reasoning_effort: effort }),
      stream_options: { include_usage: true },
      ...providerOptions,
      stream: true,
    };
  };
}

function toTool(definition: ToolDefinition, schemaOf: SchemaOf | undefined): ChatCompletionTool {
  if (definition.type === 'native') return definition.definition as object as ChatCompletionTool;
  const strict = schemaOf?.(definition);
  return {
    type: 'function',
    function: {
      name: wireName(definition.name),
      description: withExamples(definition),
      parameters: strict ?? definition.inputSchema,
      ...(strict !== undefined && { strict: true }),
    },
  };
}

function toolSettings({ toolChoice, tools, parallel }: ModelRequest): Partial<Body> {
  return {
    ...(toolChoice !== 'auto' && { tool_choice: toToolChoice(toolChoice, tools) }),
    ...(parallel === false && { parallel_tool_calls: false }),
  };
}

function toToolChoice(choice: ToolChoice, tools: readonly ToolDefinition[]): ChatCompletionToolChoiceOption {
  if (typeof choice === 'string') return choice;
  const chosen = tools.find((tool) => tool.name === choice.tool);
  if (chosen?.type !== 'native') return { type: 'function', function: { name: wireName(choice.tool) } };
  const { type, function: own, custom } = chosen.definition;
  const { name = choice.tool } = (own ?? custom ?? {}) as { readonly name?: string };
  if (type === 'custom') return { type, custom: { name } };
  if (type === 'function') return { type, function: { name } };
  return { type } as object as ChatCompletionToolChoiceOption; // of a gateway's own
}
