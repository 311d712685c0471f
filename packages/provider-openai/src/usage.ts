import { type Usage, isObject, noUsage } from '@utensil/core';

// Counts of tokens, under the names that OpenAI and those who imitate it have for them.

type Path = readonly [name: string, inner?: string];

/** Lists of texts of both APIs, and of those who mistype them. */
const inputDetails = ['prompt_tokens_details', 'input_tokens_details', 'prompt_token_details'] as const;
const outputDetails = ['completion_tokens_details', 'output_tokens_details'] as const;

const within = (details: readonly string[], ...names: readonly string[]): readonly Path[] =>
  details.flatMap((outer) => names.map((name): Path => [outer, name]));

/** Possible places of each count. The largest wins: some servers write 0 in OpenAI's place. */
const places = {
  input: [['prompt_tokens'], ['input_tokens']],
  output: [['completion_tokens'], ['output_tokens']],
  total: [['total_tokens']],
  cacheRead: [
    ...within(inputDetails, 'cached_tokens', 'cache_read_tokens'),
    ['num_cached_tokens'], // Mistral
    ['cached_tokens'], // Moonshot
    ['prompt_cache_hit_tokens'], // DeepSeek
    ['cache_read_input_tokens'], // Claude behind gateways
  ],
  cacheWrite: [
    ...within(inputDetails, 'cache_write_tokens', 'cache_creation_tokens'),
    ['cache_creation_input_tokens'], // Claude behind gateways
  ],
  audio: within(inputDetails, 'audio_tokens'),
  reasoning: [...within(outputDetails, 'reasoning_tokens'), ['reasoning_tokens']], // the latter: Perplexity
} as const satisfies Readonly<Record<string, readonly Path[]>>;

/** Token counts of an answer, over either API. As in `Usage`, input includes cached tokens, and output the thoughts. */
export function toUsage(counted: unknown): Usage {
  if (!isObject(counted)) return noUsage;
  const count = (name: keyof typeof places): number =>
    places[name].reduce((most: number, path: Path) => Math.max(most, numberAt(counted, path)), 0);
  const [cacheReadTokens, cacheWriteTokens, audio] = [count('cacheRead'), count('cacheWrite'), count('audio')];
  const told = { input: count('input'), output: count('output'), reasoning: count('reasoning') };
  const { inputTokens, outputTokens, reasoningTokens } = withRest(told, {
    rest: count('total') - told.input - told.output,
    cached: cacheReadTokens + cacheWriteTokens,
  });
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    ...(audio > 0 && { audioInputTokens: audio }),
    reasoningTokens,
  };
}

/**
 * The total may exceed the sum of its parts: xAI and Gemini count thoughts in addition to the output, the latter
 * undocumented, and some gateways count Claude's cached tokens in addition to the input.
 */
function withRest(
  told: { readonly input: number; readonly output: number; readonly reasoning: number },
  { rest, cached }: { readonly rest: number; readonly cached: number },
): Pick<Usage, 'inputTokens' | 'outputTokens' | 'reasoningTokens'> {
  const { input: inputTokens, output: outputTokens, reasoning: reasoningTokens } = told;
  if (rest <= 0) return { inputTokens, outputTokens, reasoningTokens };
  if (rest === cached) return { inputTokens: inputTokens + rest, outputTokens, reasoningTokens };
  return { inputTokens, outputTokens: outputTokens + rest, reasoningTokens: reasoningTokens || rest };
}

function numberAt(counted: Readonly<Record<string, unknown>>, [name, inner]: Path): number {
  const value = counted[name];
  const found = inner === undefined ? value : isObject(value) ? value[inner] : undefined;
  return typeof found === 'number' && Number.isFinite(found) ? found : 0;
}
