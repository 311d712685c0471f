import type { ModelRequest, ToolChoice, ToolDefinition } from '@utensil/core';
import { withExamples, memoize, wellFormed, wireName } from '@utensil/core/provider';
import { toNative } from '../hosted.ts';
import { merged } from '../merge.ts';
import { toSchema } from '../schema.ts';
import { levelFor } from '../thinking.ts';
import { historyMapper } from './history.ts';

/** Settings of the Interactions API that the request does not have. */
export interface InteractionsSettings {
  readonly modelId: string;
  readonly store: boolean;
}

/** Maps requests to bodies of the Interactions API. Messages and tools that were mapped once are not mapped again. */
export function interactionsMapper({
  modelId,
  store,
}: InteractionsSettings): (request: ModelRequest) => { model: string; stream: true } {
  const toTools = memoize((tools: readonly ToolDefinition[]) => wellFormed(tools.map(toTool)));
  const toInput = historyMapper(modelId, store);
  return function toRequest(request) {
    const { system, messages, tools, providerOptions } = request;
    const { steps, previousId } = toInput(messages);
    const generation = toGeneration(request, modelId);
    const body = {
      input: steps,
      ...(previousId !== undefined && { previous_interaction_id: previousId }),
      ...(system !== '' && { system_instruction: wellFormed(system) }),
      ...(tools.length > 0 && { tools: toTools(tools) }),
      ...(Object.keys(generation).length > 0 && { generation_config: generation }),
      store,
    };
    return { model: modelId, ...merged(body, providerOptions), stream: true };
  };
}

function toTool(tool: ToolDefinition): object {
  if (tool.type === 'native') return toNative(tool);
  return { type: 'function', name: wireName(tool.name), description: withExamples(tool), parameters: toSchema(tool) };
}

function toGeneration({ maxOutputTokens, tools, toolChoice, reasoning }: ModelRequest, modelId: string): object {
  const hasFunctions = tools.some(({ type }) => type === 'function');
  return {
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(hasFunctions && toolChoice !== 'auto' && { tool_choice: toToolChoice(toolChoice, tools) }),
    ...(reasoning !== undefined && {
      thinking_level: levelFor(modelId, reasoning),
      thinking_summaries: reasoning === 'none' ? 'none' : 'auto',
    }),
  };
}

/** A tool of Google's cannot be forced. */
function toToolChoice(choice: Exclude<ToolChoice, 'auto'>, tools: readonly ToolDefinition[]): string | object {
  if (typeof choice === 'string') return choice === 'none' ? 'none' : 'any';
  const isFunction = tools.some(({ type, name }) => type === 'function' && name === choice.tool);
  return isFunction ? { allowed_tools: { mode: 'any', tools: [wireName(choice.tool)] } } : 'auto';
}
