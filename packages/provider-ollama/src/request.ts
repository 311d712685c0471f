import { type ModelRequest, type ToolDefinition, isObject } from '@utensil/core';
import { withExamples, memoize, wellFormed } from '@utensil/core/provider';
import type { ChatRequest, Tool } from 'ollama/browser';
import { type WireMessage, messagesMapper } from './messages.ts';
import { toParameters } from './parameters.ts';

/** The body of a request. The SDK's types are behind its server. */
export type Body = Omit<ChatRequest, 'messages' | 'stream'> & {
  readonly messages: WireMessage[];
  readonly stream: true;
};

/** Settings that every request of a model shares. */
export interface Settings {
  readonly modelId: string;
  readonly contextWindow?: number | undefined;
}

/**
 * Capabilities that the server reports for a model, like `tools`, `vision` and `thinking`; undefined if it does not
 * report them.
 */
export type Capabilities = ReadonlySet<string> | undefined;

/** Maps requests to bodies of `/api/chat`. Messages and tools that were mapped once are not mapped again. */
export function chatMapper(settings: Settings): (request: ModelRequest, capabilities: Capabilities) => Body {
  const { modelId, contextWindow } = settings;
  const toTools = memoize((tools: readonly ToolDefinition[]) => wellFormed(tools.map(toTool)));
  const toSeeing = messagesMapper({ modelId, seesImages: true });
  const toBlind = messagesMapper({ modelId, seesImages: false });
  return function toRequest(request, capabilities) {
    const { system, messages, toolChoice, maxOutputTokens, providerOptions } = request;
    const toMessages = capabilities === undefined || capabilities.has('vision') ? toSeeing : toBlind;
    const tools = toolChoice === 'none' ? [] : toTools(request.tools).filter(isChosen(request));
    const think = thinkFor(modelId, request.reasoning, capabilities);
    const options = {
      ...(contextWindow !== undefined && { num_ctx: contextWindow }),
      ...(maxOutputTokens !== undefined && { num_predict: maxOutputTokens }),
      ...(isObject(providerOptions?.['options']) && providerOptions['options']),
    };
    return {
      model: modelId,
      messages: toMessages(withWishes(system, request), messages),
      ...(tools.length > 0 && { tools }),
      ...(think !== undefined && { think }),
      ...providerOptions,
      ...(Object.keys(options).length > 0 && { options }),
      stream: true,
    };
  };
}

function toTool(definition: ToolDefinition): Tool {
  if (definition.type === 'native') return definition.definition as object as Tool;
  const { name, inputSchema } = definition;
  const parameters = toParameters(inputSchema) as object as NonNullable<Tool['function']['parameters']>;
  return { type: 'function', function: { name, description: withExamples(definition), parameters } };
}

/** If one tool must be called, the model gets only that tool. */
function isChosen({ toolChoice, tools }: ModelRequest): (tool: Tool, index: number) => boolean {
  return (_, index) => typeof toolChoice === 'string' || tools[index]?.name === toolChoice.tool;
}

/** Settings that are fields in other APIs, and that this one can only be asked for in words. */
function withWishes(system: string, { toolChoice, tools, parallel }: ModelRequest): string {
  if (tools.length === 0 || toolChoice === 'none') return system;
  const wishes = [
    ...(system === '' ? [] : [system]),
    ...(toolChoice === 'required' ? ['Answer with a call of one of your tools.'] : []),
    ...(typeof toolChoice === 'object' ? [`Answer with a call of the tool ${toolChoice.tool}.`] : []),
    ...(parallel === false ? ['Call one tool at a time.'] : []),
  ];
  return wishes.join('\n\n');
}

/** A model that cannot think refuses requests that ask for it; gpt-oss thinks always, and alone knows levels. */
function thinkFor(
  modelId: string,
  asked: ModelRequest['reasoning'],
  capabilities: Capabilities,
): ChatRequest['think'] | undefined {
  if (asked === undefined || (capabilities !== undefined && !capabilities.has('thinking'))) return undefined;
  if (/gpt-oss/i.test(modelId)) return asked === 'none' ? 'low' : asked;
  return asked !== 'none';
}
