// OpenTelemetry semantic conventions for GenAI, as data.

import type { FinishReason, KnownApi } from '@utensil/core';

/** `gen_ai.provider.name` by wire format, unless set otherwise. */
export const providers: Readonly<Partial<Record<string, string>>> = {
  'anthropic-messages': 'anthropic',
  'openai-responses': 'openai',
  'openai-chat': 'openai',
  gemini: 'gcp.gemini',
  'gemini-interactions': 'gcp.gemini',
  'ollama-chat': 'ollama',
  text: 'text',
} satisfies Record<KnownApi, string>;

/** Finish reasons of the conventions, which lack `pause` and `refusal`. */
export const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  'tool-calls': 'tool_call',
  length: 'length',
  refusal: 'refusal',
  'content-filter': 'content_filter',
  pause: 'pause',
  error: 'error',
};

/** Type of an unknown error. */
export const otherError = '_OTHER';

const tokens = Array.from({ length: 14 }, (_, power) => 4 ** power);
const seconds = Array.from({ length: 14 }, (_, power) => 2 ** power / 100);
const longSeconds = Array.from({ length: 13 }, (_, power) => 2 ** power / 10);

/** Histograms, with the recommended buckets. */
export const histograms = {
  tokenUsage: ['gen_ai.client.token.usage', '{token}', 'Number of input and output tokens used.', tokens],
  operationDuration: ['gen_ai.client.operation.duration', 's', 'Duration of a turn of the model.', seconds],
  timeToFirstChunk: [
    'gen_ai.client.operation.time_to_first_chunk',
    's',
    'Time from the request to the first piece of its answer.',
    seconds,
  ],
  toolDuration: ['gen_ai.execute_tool.duration', 's', 'Duration of a call of a tool.', seconds],
  agentDuration: ['gen_ai.invoke_agent.duration', 's', 'Duration of a run.', longSeconds],
} as const satisfies Record<string, readonly [name: string, unit: string, description: string, buckets: number[]]>;
