import { wellFormed } from '@utensil/core/provider';
import type { MessageCreateParamsStreaming, TextBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { ModelRequest } from '@utensil/core';
import { type KeptMessages, containerOf, toMessages } from './messages.ts';
import { type KeptTools, type LoadedSettings, toToolChoice, toTools, withChosen } from './tools.ts';
import { beganWithoutThought, withFarMark } from './turns.ts';

/** Tokens of an answer, which every model of the 4.5 family and later can write. */
export const usualMaxTokens = 32_000;

/** Settings of every request of a model. */
export interface RequestSettings extends LoadedSettings {
  readonly modelId: string;
  /** Default {@link usualMaxTokens}. */
  readonly maxOutputTokens?: number | undefined;
}

/** Caches that a model keeps between its requests, so that nothing is mapped twice. */
export interface RequestMemory {
  readonly messages: KeptMessages;
  readonly tools: KeptTools;
}

/** An empty memory, for one model. */
export function requestMemory(): RequestMemory {
  return { messages: new WeakMap(), tools: new WeakMap() };
}

const cacheControl = { type: 'ephemeral' } as const;

/** The body of a request: plain JSON. */
export function toRequest(
  request: ModelRequest,
  settings: RequestSettings,
  memory: RequestMemory = requestMemory(),
): MessageCreateParamsStreaming {
  const { modelId, cache = true, programs } = settings;
  const toolChoice = toToolChoice(request);
  const turns = toMessages(request, modelId, memory.messages);
  const messages = programs?.forPrograms(turns) ?? turns;
  const tools = withChosen(toTools(request.tools, settings, memory.tools), toolChoice);
  const container = containerOf(request.messages);
  const lacksThought = beganWithoutThought(messages);
  const maxTokens = request.maxOutputTokens ?? settings.maxOutputTokens ?? usualMaxTokens;
  return {
    model: modelId,
    max_tokens: maxTokens,
    ...(request.system.trim() !== '' && { system: toSystem(wellFormed(request.system), cache) }),
    ...(request.tools.length > 0 && { tools: programs?.withoutPrograms(tools, toolChoice) ?? tools }),
    ...(request.tools.length > 0 && toolChoice !== undefined && { tool_choice: toolChoice }),
    messages: cache ? withFarMark(messages) : messages,
    ...toThinking(request, modelId, { maxTokens, lacksThought }),
    ...(container !== undefined && { container }),
    // The end of the request: the next one reads everything up to here.
    ...(cache && { cache_control: cacheControl }),
    ...request.providerOptions,
    stream: true,
  };
}

/** Up to the end of the system prompt, which a new thread and a very long turn share, is a prefix of its own. */
function toSystem(text: string, cache: boolean): string | TextBlockParam[] {
  return cache ? [{ type: 'text', text, cache_control: cacheControl }] : text;
}

const budgets = { low: 2_048, medium: 8_192, high: 24_576 };

/**
 * Models decide by themselves how much to think, guided by `effort`. Those of the 4.5 family take a budget instead;
 * those named Fable and Mythos cannot be told not to think, and think little instead.
 */
function toThinking(
  { reasoning, toolChoice }: ModelRequest,
  modelId: string,
  { maxTokens, lacksThought }: { readonly maxTokens: number; readonly lacksThought: boolean },
): Pick<MessageCreateParamsStreaming, 'thinking' | 'output_config'> {
  if (reasoning === undefined) return {};
  if (reasoning === 'none' && !/fable|mythos/.test(modelId)) return { thinking: { type: 'disabled' } };
  const effort = reasoning === 'none' ? 'low' : reasoning;
  if (!/-4-5(?![0-9])/.test(modelId)) {
    return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort } };
  }
  const budget = Math.min(budgets[effort], maxTokens - 1);
  const isForced = toolChoice !== 'auto' && toolChoice !== 'none'; // which excludes a budget
  return isForced || lacksThought || budget < 1_024 ? {} : { thinking: { type: 'enabled', budget_tokens: budget } };
}
