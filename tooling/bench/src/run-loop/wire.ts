import { callAt, finalText, fragments, type Work } from './work.ts';

/** Responses API streamed, Chat Completions streamed, and Chat Completions unstreamed. */
export type Wire = 'responses' | 'chat' | 'json';

/** Answer to a request by number, from 0: a call as long as calls remain, then the final text. */
export function answerOf(step: number, work: Work, wire: Wire): { readonly type: string; readonly text: string } {
  if (wire === 'json') return { type: 'application/json', text: JSON.stringify(completion(step, work)) };
  const events = wire === 'responses' ? responseEvents(step, work) : [...chatChunks(step, work), '[DONE]'];
  return { type: 'text/event-stream', text: events.map(frame).join('') };
}

function frame(event: string | { readonly type?: string }): string {
  if (typeof event === 'string') return `data: ${event}\n\n`;
  return `${event.type === undefined ? '' : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`;
}

function responseEvents(step: number, work: Work): readonly { readonly type: string }[] {
  const response = { id: `resp_${step}`, object: 'response', created_at: 1, model: 'gpt-5.1', output: [] };
  const { item, start, middle } = step < work.calls ? callItem(step, work) : messageItem(step, work);
  const usage = { input_tokens: 100 + step, output_tokens: 10, total_tokens: 110 + step };
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    { type: 'response.in_progress', response: { ...response, status: 'in_progress' } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, ...start, status: 'in_progress' } },
    ...middle,
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
  ];
  return events.map((event, index) => ({ ...event, sequence_number: index }));
}

function callItem(step: number, work: Work) {
  const { callId, name, text } = callAt(step, work);
  const id = `fc_${step}`;
  const item = { type: 'function_call', id, call_id: callId, name, arguments: text, status: 'completed' };
  const at = { output_index: 0, item_id: id };
  const deltas = fragments(text).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta }));
  const done = { type: 'response.function_call_arguments.done', ...at, name, arguments: text };
  return { item, start: { arguments: '' }, middle: [...deltas, done] };
}

function messageItem(step: number, work: Work) {
  const text = finalText(work);
  const id = `msg_${step}`;
  const part = { type: 'output_text', text, annotations: [] };
  const item = { type: 'message', id, role: 'assistant', content: [part], status: 'completed' };
  const at = { output_index: 0, content_index: 0, item_id: id };
  const middle = [
    { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
    ...fragments(text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
    { type: 'response.output_text.done', ...at, text },
    { type: 'response.content_part.done', ...at, part },
  ];
  return { item, start: { content: [] }, middle };
}

function chatChunks(step: number, work: Work): readonly object[] {
  const base = { id: `chatcmpl_${step}`, object: 'chat.completion.chunk', created: 1, model: 'gpt-5.1' };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const isCall = step < work.calls;
  const deltas = isCall ? callDeltas(step, work) : fragments(finalText(work)).map((content) => ({ content }));
  return [
    chunk({ role: 'assistant', content: isCall ? null : '' }),
    ...deltas.map((delta) => chunk(delta)),
    chunk({}, isCall ? 'tool_calls' : 'stop'),
    { ...base, choices: [], usage: usageOf(step) },
  ];
}

function callDeltas(step: number, work: Work): readonly object[] {
  const { callId, name, text } = callAt(step, work);
  const first = { index: 0, id: callId, type: 'function', function: { name, arguments: '' } };
  const others = fragments(text).map((piece) => ({ index: 0, function: { arguments: piece } }));
  return [first, ...others].map((call) => ({ tool_calls: [call] }));
}

function completion(step: number, work: Work): object {
  const { callId, name, text } = callAt(step, work);
  const isCall = step < work.calls;
  const call = { id: callId, type: 'function', function: { name, arguments: text } };
  const message = isCall ? { content: null, tool_calls: [call] } : { content: finalText(work) };
  const choice = {
    index: 0,
    message: { role: 'assistant', ...message },
    finish_reason: isCall ? 'tool_calls' : 'stop',
  };
  return {
    id: `chatcmpl_${step}`,
    object: 'chat.completion',
    created: 1,
    model: 'gpt-5.1',
    choices: [choice],
    usage: usageOf(step),
  };
}

function usageOf(step: number) {
  return { prompt_tokens: 100 + step, completion_tokens: 10, total_tokens: 110 + step };
}
