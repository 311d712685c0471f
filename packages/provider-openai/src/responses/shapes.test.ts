// Shapes that gateways make of the Responses API, over HTTP and the official SDK.
import { type ServerSentEvent, sse } from '@utensil/tooling-loopback';
import { gistOf } from '@utensil/tooling-loopback/gist';
import { expect, it } from 'vitest';
import { openai } from '../openai.ts';

const make = (baseURL: string) => openai('m', { apiKey: 'k', baseURL });
const event = (type: string, more: object = {}) => ({
  event: `response.${type}`,
  data: { type: `response.${type}`, ...more },
});
const at = (type: string, more: object, output_index = 0) => event(type, { output_index, ...more });
const call = (text: unknown, more: object = {}) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'a',
  name: 'look',
  arguments: text,
  ...more,
});
const message = (content: unknown) => ({ type: 'message', id: 'msg_1', role: 'assistant', content });
const said = (text: string) => [{ type: 'output_text', text, annotations: [] }];
const thoughts = (more: object) => ({ type: 'reasoning', id: 'rs_1', summary: [], ...more });
const added = (item: unknown, index?: number) => at('output_item.added', { item }, index);
const done = (item: unknown, index?: number) => at('output_item.done', { item }, index);
const delta = (text: unknown) => at('output_text.delta', { delta: text, item_id: 'msg_1' });
const usage = { input_tokens: 7, output_tokens: 5, total_tokens: 12 };
const end = (output: unknown = [], more: object = {}) =>
  event('completed', { response: { status: 'completed', output, usage, ...more } });
const hi = done(message(said('Hi')), 1);

it.each<readonly [shape: string, events: readonly ServerSentEvent[], gist: string]>([
  [
    'all items in the end alone',
    [end([message(said('Hi')), call('{"note":"a"}')])],
    'Hi look#a{"note":"a"} tool-calls 7/5',
  ],
  [
    'null in place of items and events',
    [added(null), done(null), { event: 'x', data: null }, end([null, message(said('Hi'))])],
    'Hi stop 7/5',
  ],
  ['null in place of the output', [hi, end(null)], 'Hi stop 7/5'],
  ['null in place of the response', [hi, event('completed', { response: null })], 'Hi stop'],
  ['null in place of the counts', [hi, end([], { usage: null })], 'Hi stop'],
  ['null in place of a content', [delta('Hi'), done(message(null)), end()], 'Hi stop 7/5'],
  [
    'null in place of annotations',
    [done(message([{ type: 'output_text', text: 'Hi', annotations: null }])), end()],
    'Hi stop 7/5',
  ],
  ['null in place of a text', [delta(null), delta('Hi'), end()], 'Hi stop 7/5'],
  ['deltas of an item that begins at the end', [delta('Hi'), end([message(said('Hi'))])], 'Hi stop 7/5'],
  ['a text without deltas', [at('output_text.done', { text: 'Hi' }), end()], 'Hi stop 7/5'],
  [
    'a text with deltas, and whole',
    [delta('Hi'), at('output_text.done', { text: 'Hi' }), done(message(said('Hi'))), end()],
    'Hi stop 7/5',
  ],
  ['a refusal without deltas', [at('refusal.done', { refusal: 'No.' }), end()], 'No. refusal 7/5 (No.)'],
  [
    'thoughts without deltas',
    [done(thoughts({ content: [{ type: 'reasoning_text', text: 'Hm.' }] })), hi, end()],
    '[Hm.] Hi stop 7/5',
  ],
  [
    'a summary without deltas',
    [done(thoughts({ summary: [{ type: 'summary_text', text: 'Hm.' }] })), hi, end()],
    '[Hm.] Hi stop 7/5',
  ],
  [
    'a summary with deltas, and whole',
    [
      added(thoughts({})),
      at('reasoning_summary_text.delta', { summary_index: 0, delta: 'Hm.' }),
      done(thoughts({ summary: [{ type: 'summary_text', text: 'Hm.' }] })),
      hi,
      end(),
    ],
    '[Hm.] Hi stop 7/5',
  ],
  [
    'arguments without deltas and an end',
    [added(call('')), at('function_call_arguments.done', { arguments: '{"note":"a"}' }), end()],
    'look#a{"note":"a"} tool-calls 7/5',
  ],
  [
    'arguments that the end leaves out',
    [added(call('')), at('function_call_arguments.delta', { delta: '{"note":"a"}' }), done(call('')), end()],
    'look#a{"note":"a"} tool-calls 7/5',
  ],
  ['arguments that are an object', [done(call({ note: 'a' })), end()], 'look#a{"note":"a"} tool-calls 7/5'],
  ['arguments that are null', [done(call(null)), end()], 'look#a{} tool-calls 7/5'],
  ['no id of the call', [done(call('{}', { call_id: undefined })), end()], 'look#fc_1{} tool-calls 7/5'],
  [
    'two calls of one id',
    [done(call('{"note":"a"}')), done(call('{"note":"b"}', { id: 'fc_2' }), 1), end()],
    'look#a{"note":"a"} look#fc_2{"note":"b"} tool-calls 7/5',
  ],
  [
    'the end of an answer that failed',
    [end([], { status: 'failed', error: { code: 'server_error', message: 'Boom' } })],
    'model_failed: The server of m failed: Boom. Try again.',
  ],
  [
    'a failure without words',
    [event('failed', { response: null })],
    'model_failed: m failed. Try again; if it stays, change the request.',
  ],
])('%s', async (_, events, gist) => {
  expect(await gistOf(make, { body: sse(events) })).toBe(gist);
});

it('gives back as it read it what a gateway has left out', async () => {
  let sent: unknown;
  const events = [
    added(message([])),
    delta('Hi'),
    done(message(null)),
    done(call('', { call_id: undefined }), 1),
    end(),
  ];
  for await (const part of openai('m', {
    apiKey: 'k',
    baseURL: 'http://127.0.0.1',
    fetch: async () => new Response(sse(events), { headers: { 'content-type': 'text/event-stream' } }),
  }).stream({ system: '', messages: [], tools: [], toolChoice: 'auto' }, { signal: new AbortController().signal }))
    if (part.type === 'finish') sent = part.state;
  expect(sent).toEqual([message(said('Hi')), call('', { call_id: 'fc_1' })]);
});
