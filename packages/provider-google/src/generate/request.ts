import { type ModelRequest, type ToolChoice, type ToolDefinition, UtensilError } from '@utensil/core';
import { withExamples, memoize, wellFormed, wireName } from '@utensil/core/provider';
import type { FunctionDeclaration } from '@google/genai';
import { toNative } from '../hosted.ts';
import { merged } from '../merge.ts';
import { toSchema } from '../schema.ts';
import { budgetFor, levelFor } from '../thinking.ts';
import { historyMapper } from './history.ts';

/** Maximum that the API accepts. */
const mostFunctions = 512;

/** Maps requests to bodies of generateContent. Messages and tools that were mapped once are not mapped again. */
export function generateMapper(modelId: string): (request: ModelRequest) => Record<string, unknown> {
  const toTools = memoize((tools: readonly ToolDefinition[]) => wellFormed(mapTools(tools)));
  const toContents = historyMapper(modelId);
  return function toRequest(request) {
    const { system, messages, tools, maxOutputTokens, providerOptions } = request;
    const thinkingConfig = toThinking(request, modelId);
    const generationConfig = {
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(thinkingConfig !== undefined && { thinkingConfig }),
    };
    const body = {
      contents: toContents(messages),
      ...(system !== '' && { systemInstruction: { parts: [{ text: wellFormed(system) }] } }),
      ...(tools.length > 0 && { tools: toTools(tools), ...toToolConfig(request) }),
      generationConfig,
    };
    return merged(body, providerOptions);
  };
}

function mapTools(tools: readonly ToolDefinition[]): readonly object[] {
  const functionDeclarations = tools.flatMap((tool): FunctionDeclaration[] => {
    if (tool.type === 'native') return [];
    return [{ name: wireName(tool.name), description: withExamples(tool), parametersJsonSchema: toSchema(tool) }];
  });
  if (functionDeclarations.length > mostFunctions) {
    const message = `Gemini takes ${mostFunctions} functions at most, not ${functionDeclarations.length}: disable what is not needed.`;
    throw new UtensilError('model_request_invalid', message);
  }
  const natives = tools.flatMap((tool) => (tool.type === 'native' ? [toNative(tool)] : []));
  return functionDeclarations.length > 0 ? [{ functionDeclarations }, ...natives] : natives;
}

/** Google's tools go with functions only where their calls are shown, so that they can be sent back. */
function toToolConfig({ tools, toolChoice }: ModelRequest) {
  const functions = tools.filter(({ type }) => type === 'function');
  const functionCallingConfig = functions.length > 0 ? toCalling(toolChoice, functions) : undefined;
  const isMixed = functions.length > 0 && functions.length < tools.length;
  if (functionCallingConfig === undefined && !isMixed) return {};
  return {
    toolConfig: {
      ...(functionCallingConfig !== undefined && { functionCallingConfig }),
      ...(isMixed && { includeServerSideToolInvocations: true }),
    },
  };
}

/** Undefined if the API's default says the same. Google's own tools cannot be forced. */
function toCalling(choice: ToolChoice, functions: readonly ToolDefinition[]) {
  if (choice === 'none') return { mode: 'NONE' };
  if (choice === 'required') return { mode: 'ANY' };
  const isForced = choice !== 'auto' && functions.some(({ name }) => name === choice.tool);
  return isForced ? { mode: 'ANY', allowedFunctionNames: [wireName(choice.tool)] } : undefined;
}

/** Models of the families before 2.5 do not think. Thoughts are told where thinking was asked for. */
function toThinking({ reasoning }: ModelRequest, modelId: string) {
  if (reasoning === undefined || /gemini-(?:1|2\.0)/.test(modelId)) return undefined;
  const includeThoughts = reasoning !== 'none';
  return /gemini-2/.test(modelId)
    ? { includeThoughts, thinkingBudget: budgetFor(modelId, reasoning) }
    : { includeThoughts, thinkingLevel: levelFor(modelId, reasoning).toUpperCase() };
}
