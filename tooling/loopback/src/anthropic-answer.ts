import type { Answer, AnswerBlock, Counts, Failure, WireFormat } from './answer.ts';
import type { ServerSentEvent } from './loopback.ts';

/** Answers of Anthropic's Messages API. Made by hand, after the documentation. */
export const anthropicWire: WireFormat = {
  encode: (answer) => ({
    content: [
      event({ type: 'message_start', message: startOf(answer.usage) }),
      event({ type: 'ping' }),
      ...answer.blocks.flatMap((block, index) => encodeBlock(block, index, answer.state)),
    ],
    end: [event({ type: 'message_delta', ...endOf(answer) }), event({ type: 'message_stop' })],
  }),
  failure: event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  unknown: event({ type: 'unheard_of', index: 0, delta: { type: 'unheard_of_delta', text: 'nothing' } }),
  toError: ({ status, message, isTooLong }: Failure) => ({
    type: 'error',
    error: {
      type: errorTypes.get(status) ?? 'api_error',
      message: isTooLong === true ? 'prompt is too long: 212345 tokens > 200000 maximum' : (message ?? ''),
    },
    request_id: 'req_1',
  }),
};

const errorTypes: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [404, 'not_found_error'],
  [429, 'rate_limit_error'],
  [529, 'overloaded_error'],
]);

function event(data: { readonly type: string; readonly [member: string]: unknown }): ServerSentEvent {
  return { event: data.type, data };
}

/** The API's input is what neither came from the cache nor went to it. */
function startOf({ inputTokens = 10, cacheReadTokens = 0, cacheWriteTokens = 0 }: Counts = {}): object {
  const usage = {
    input_tokens: inputTokens - cacheReadTokens - cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    output_tokens: 1,
  };
  return { id: 'msg_01', type: 'message', role: 'assistant', model: 'claude', content: [], stop_reason: null, usage };
}

const reasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
};

function endOf({ blocks, reason, usage: { outputTokens = 20, reasoningTokens = 0 } = {} }: Answer): object {
  const usual = blocks.some(({ type }) => type === 'call') ? 'tool-calls' : 'stop';
  return {
    delta: { stop_reason: reasons[reason ?? usual], stop_sequence: null },
    usage: { output_tokens: outputTokens, output_tokens_details: { thinking_tokens: reasoningTokens } },
  };
}

function encodeBlock({ type, deltas, name }: AnswerBlock, index: number, state = 'c2lnbmF0dXJl'): ServerSentEvent[] {
  const start = (content_block: object): ServerSentEvent =>
    event({ type: 'content_block_start', index, content_block });
  const delta = (each: object): ServerSentEvent => event({ type: 'content_block_delta', index, delta: each });
  const stop = event({ type: 'content_block_stop', index });
  if (type === 'text')
    return [start({ type, text: '' }), ...deltas.map((text) => delta({ type: 'text_delta', text })), stop];
  if (type === 'reasoning') {
    const thoughts = deltas.map((thinking) => delta({ type: 'thinking_delta', thinking }));
    const signature = delta({ type: 'signature_delta', signature: state });
    return [start({ type: 'thinking', thinking: '', signature: '' }), ...thoughts, signature, stop];
  }
  const call = start({ type: 'tool_use', id: `toolu_${index}`, name, input: {}, caller: { type: 'direct' } });
  const fragments = ['', ...deltas].map((partial_json) => delta({ type: 'input_json_delta', partial_json }));
  return [call, ...fragments, stop];
}
