import type { Toolset } from '@utensil/core';
import type OpenAI from 'openai';

/** Tools of a toolset in the form of Chat Completions. */
export function definitionsOf(toolset: Toolset): OpenAI.ChatCompletionFunctionTool[] {
  return toolset.definitions({ api: 'openai-chat' }).flatMap((definition) => {
    if (definition.type !== 'function') return [];
    const { name, description, inputSchema } = definition;
    return [{ type: 'function', function: { name, description, parameters: inputSchema } }];
  });
}
