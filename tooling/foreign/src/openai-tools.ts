import type { Toolset } from '@utensil/core';
import type OpenAI from 'openai';

/** The tools of a toolset, as Chat Completions takes them. */
export function definitionsOf(toolset: Toolset): OpenAI.ChatCompletionFunctionTool[] {
  return toolset.definitions({ api: 'openai-chat' }).flatMap((definition) => {
    if (definition.type !== 'function') return [];
    const { name, description, inputSchema } = definition;
    return [{ type: 'function', function: { name, description, parameters: inputSchema } }];
  });
}
