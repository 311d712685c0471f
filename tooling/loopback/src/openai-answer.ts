import type { Answer, AnswerBlock, Counts, Failure, WireFormat } from './answer.ts';
import type { ServerSentEvent } from './loopback.ts';

/** The body of an error of OpenAI's. */
function toError({ status, message = '', isTooLong }: Failure): unknown {
  if (isTooLong === true) {
    const said =
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130042 tokens.";
    return {
      error: { message: said, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
    };
  }
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  return { error: { message, type, param: null, code: null } };
}

/** Answers of OpenAI's Chat Completions API. Made by hand, after the documentation. */
export const openaiChatWire: WireFormat = {
  encode: (answer) => ({
    content: [chunk({ role: 'assistant', content: '', refusal: null }), ...chatContent(answer)],
    end: [chunk({}, chatReason(answer)), { data: chatUsage(answer.usage) }, { data: '[DONE]' }],
  }),
  failure: { data: { error: { message: 'The server had an error.', type: 'server_error', param: null, code: null } } },
  unknown: { data: { id: 'chatcmpl-1', object: 'unheard.of', obfuscation: 'x' } },
  toError,
};

function chunk(delta: object, finish_reason: string | null = null): ServerSentEvent {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt', usage: null };
  return { data: { ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }] } };
}

/** Reasoning is not OpenAI's, but of the servers that imitate it. */
function chatContent({ blocks, reason }: Answer): readonly ServerSentEvent[] {
  const member = { reasoning: 'reasoning_content', text: reason === 'refusal' ? 'refusal' : 'content' };
  return blocks.flatMap((block, at) => {
    const { type, name, deltas } = block;
    if (type !== 'call') return deltas.map((text) => chunk({ [member[type]]: text }));
    const index = blocks.slice(0, at).filter((each) => each.type === 'call').length;
    const start = { index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } };
    const fragments = deltas.map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] }));
    return [chunk({ tool_calls: [start] }), ...fragments];
  });
}

const chatReasons: Readonly<Record<string, string>> = {
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
};

function chatReason({ blocks, reason }: Answer): string {
  const usual = blocks.some(({ type }) => type === 'call') ? 'tool-calls' : 'stop';
  return chatReasons[reason ?? usual] ?? 'stop';
}

function chatUsage(counts: Counts = {}): object {
  const {
    inputTokens = 10,
    outputTokens = 20,
    cacheReadTokens = 0,
    cacheWriteTokens = 0,
    reasoningTokens = 0,
  } = counts;
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt', choices: [], usage };
}

/** Answers of OpenAI's Responses API. Made by hand, after the documentation. */
export const openaiResponsesWire: WireFormat = {
  encode: (answer) => {
    const items = answer.blocks.map((block, index) => encodeItem(block, index, answer));
    const events = [
      { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
      ...items.flatMap((item) => item.events),
    ];
    const end = endOf(
      answer,
      items.map(({ done }) => done),
    );
    return { content: events.map(numbered), end: [numbered(end, events.length)] };
  },
  failure: numbered({ type: 'error', code: 'server_error', message: 'The server had an error.', param: null }, 99),
  unknown: numbered({ type: 'response.unheard_of.delta', output_index: 0, delta: 'nothing' }, 99),
  toError,
};

interface Event {
  readonly type: string;
  readonly [member: string]: unknown;
}

function numbered(event: Event, sequence_number: number): ServerSentEvent {
  return { event: event.type, data: { ...event, sequence_number } };
}

interface EncodedItem {
  readonly events: readonly Event[];
  /** The item as it ends. */
  readonly done: object;
}

function encodeItem(block: AnswerBlock, output_index: number, answer: Answer): EncodedItem {
  const { added, deltas, done } = itemOf(block, output_index, answer);
  const events = [
    { type: 'response.output_item.added', output_index, item: added },
    ...deltas.map((delta) => ({ ...delta, output_index })),
    { type: 'response.output_item.done', output_index, item: done },
  ];
  return { events, done };
}

function itemOf(
  { type, deltas, name }: AnswerBlock,
  index: number,
  { reason, state = 'c2VhbGVk' }: Answer,
): { added: object; deltas: readonly Event[]; done: object } {
  const text = deltas.join('');
  const events = (kind: string, item_id: string): readonly Event[] =>
    deltas.map((delta) => ({ type: kind, item_id, delta }));
  if (type === 'reasoning') {
    const item = { id: `rs_${index}`, type: 'reasoning', summary: [], encrypted_content: 'cHJvdmlzaW9uYWw=' };
    const part = { type: 'response.reasoning_summary_part.added', item_id: item.id, summary_index: 0 };
    const done = { ...item, summary: [{ type: 'summary_text', text }], encrypted_content: state };
    return { added: item, deltas: [part, ...events('response.reasoning_summary_text.delta', item.id)], done };
  }
  if (type === 'call') {
    const item = { id: `fc_${index}`, type: 'function_call', call_id: `call_${index}`, name };
    const added = { ...item, arguments: '', status: 'in_progress' };
    return {
      added,
      deltas: events('response.function_call_arguments.delta', item.id),
      done: { ...item, arguments: text, status: 'completed' },
    };
  }
  const item = { id: `msg_${index}`, type: 'message', role: 'assistant' };
  const isRefusal = reason === 'refusal';
  const part = isRefusal
    ? { type: 'refusal', refusal: text }
    : { type: 'output_text', text, annotations: [], logprobs: [] };
  return {
    added: { ...item, content: [], status: 'in_progress' },
    deltas: events(isRefusal ? 'response.refusal.delta' : 'response.output_text.delta', item.id),
    done: { ...item, content: [part], status: 'completed' },
  };
}

const stops: Readonly<Record<string, string>> = { length: 'max_output_tokens', 'content-filter': 'content_filter' };

function endOf({ reason = '', usage = {} }: Answer, output: readonly object[]): Event {
  const { inputTokens = 10, outputTokens = 20, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  const stop = stops[reason];
  const status = stop === undefined ? 'completed' : 'incomplete';
  const response = {
    id: 'resp_1',
    status,
    incomplete_details: stop === undefined ? null : { reason: stop },
    output,
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: reasoningTokens },
      total_tokens: inputTokens + outputTokens,
    },
  };
  return { type: `response.${status}`, response };
}
