import { type ServerSentEvent, sse } from './loopback.ts';

/** A content block as a whole response has it. */
export interface AnthropicBlock {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** How a response ends. */
export interface AnthropicEnd {
  /** Default: `tool_use` where there are calls, else `end_turn`. */
  readonly stopReason?: string;
  readonly usage?: Readonly<Record<string, unknown>>;
}

/** A response of Anthropic's Messages API as its body. Made by hand, after the documentation. */
export function anthropicStream(blocks: readonly AnthropicBlock[], end?: AnthropicEnd): string {
  return sse(anthropicEvents(blocks, end));
}

/** The events of a response: text, thinking and the input of calls come in fragments, other blocks whole. */
export function anthropicEvents(blocks: readonly AnthropicBlock[], end: AnthropicEnd = {}): ServerSentEvent[] {
  const stopReason = end.stopReason ?? (blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn');
  const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
  const message = { id: 'msg_01', type: 'message', role: 'assistant', model: 'claude', content: [], usage };
  const data = [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: 'ping' },
    ...blocks.flatMap(blockEvents),
    { type: 'message_delta', delta: { stop_reason: stopReason }, usage: { output_tokens: 20, ...end.usage } },
    { type: 'message_stop' },
  ];
  return data.map((each) => ({ event: each.type, data: each }));
}

function blockEvents(block: AnthropicBlock, index: number): { readonly type: string }[] {
  const [empty, deltas] = split(block);
  return [
    { type: 'content_block_start', index, content_block: { ...block, ...empty } },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ] as { readonly type: string }[];
}

function split({ type, text, thinking, signature, input }: AnthropicBlock): [start: object, deltas: object[]] {
  switch (type) {
    case 'text':
      return [{ text: '' }, fragments(text).map((part) => ({ type: 'text_delta', text: part }))];
    case 'thinking': {
      const deltas = fragments(thinking).map((part) => ({ type: 'thinking_delta', thinking: part }));
      return [{ thinking: '', signature: '' }, [...deltas, { type: 'signature_delta', signature }]];
    }
    case 'tool_use':
    case 'server_tool_use': {
      const json = JSON.stringify(input) === '{}' ? [] : fragments(JSON.stringify(input));
      return [{ input: {} }, ['', ...json].map((part) => ({ type: 'input_json_delta', partial_json: part }))];
    }
    default:
      return [{}, []];
  }
}

function fragments(text: unknown): string[] {
  return String(text).match(/.{1,12}/gsu) ?? [];
}
