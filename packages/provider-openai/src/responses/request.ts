import type { ModelRequest } from '@utensil/core';
import { wellFormed } from '@utensil/core/provider';
import type { Reasoning } from 'openai/resources/shared';
import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { effortFor, neverReasons } from '../reasoning.ts';
import { historyMapper } from './history.ts';
import { type ToolSettings, toolSettings, toolsMapper, withChosen } from './tools.ts';

type Body = ResponseCreateParamsStreaming;
type Draft = Omit<Body, 'stream'>;

/** Settings of the Responses API that the request does not have. */
export interface ResponsesSettings extends ToolSettings {
  readonly reasoningSummary?: 'auto' | 'concise' | 'detailed';
}

/**
 * Maps requests to bodies of the Responses API. Nothing is stored at OpenAI: the whole conversation goes with every
 * request, the model's encrypted reasoning in it. Messages and tools that were mapped once are not mapped again.
 */
export function responsesMapper(settings: ResponsesSettings): (request: ModelRequest) => Body {
  const toTools = toolsMapper(settings);
  const toInput = historyMapper(settings.modelId);
  const include: Draft = neverReasons(settings.modelId) ? {} : { include: ['reasoning.encrypted_content'] };
  return function toRequest(request) {
    const { system, messages, tools, maxOutputTokens, providerOptions } = request;
    const body: Draft = { model: settings.modelId };
    if (system !== '') body.instructions = wellFormed(system);
    body.input = toInput(messages);
    if (tools.length > 0)
      Object.assign(body, { tools: withChosen(toTools(tools), request.toolChoice) }, toolSettings(request));
    if (maxOutputTokens !== undefined) body.max_output_tokens = maxOutputTokens;
    const reasoning = toReasoning(request, settings);
    if (reasoning !== undefined) body.reasoning = reasoning;
    return Object.assign(body, { store: false }, include, providerOptions, { stream: true as const });
  };
}

function toReasoning({ reasoning }: ModelRequest, settings: ResponsesSettings): Reasoning | undefined {
  const effort = effortFor(settings.modelId, reasoning);
  const summary = neverReasons(settings.modelId) ? undefined : settings.reasoningSummary;
  if (effort === undefined && summary === undefined) return undefined;
  return { ...(effort && { effort }), ...(summary && { summary }) };
}
