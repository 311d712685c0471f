// Shapes that proxies and servers like Anthropic's send, against its documentation, over HTTP and the official SDK.
import { type ServerSentEvent, sse } from '@utensil/tooling-loopback';
import { gistOf } from '@utensil/tooling-loopback/gist';
import { expect, it } from 'vitest';
import { anthropic } from './anthropic.ts';

const make = (baseURL: string) => anthropic('m', { apiKey: 'k', baseURL });
const event = (type: string, more: object = {}) => ({ event: type, data: { type, ...more } });
const start = (more: object = {}) =>
  event('message_start', { message: { content: [], usage: { input_tokens: 7 }, ...more } });
const begin = (content_block: unknown, index: unknown = 0) => event('content_block_start', { index, content_block });
const delta = (given: unknown, index: unknown = 0) => event('content_block_delta', { index, delta: given });
const close = (index: unknown = 0) => event('content_block_stop', { index });
const end = (stop_reason: unknown, usage: unknown = { output_tokens: 5 }) =>
  event('message_delta', { delta: { stop_reason }, usage });
const stop = event('message_stop');
const call = (more: object = {}) => ({ type: 'tool_use', id: 'a', name: 'look', input: {}, ...more });
const input = (partial_json: unknown, index: unknown = 0) => delta({ type: 'input_json_delta', partial_json }, index);
const text = (said: unknown) => delta({ type: 'text_delta', text: said });
const hi = [begin({ type: 'text', text: '' }), text('Hi'), close()];
const calls = [end('tool_use'), stop];
const done = [end('end_turn'), stop];

it.each<readonly [shape: string, events: readonly ServerSentEvent[], gist: string]>([
  [
    'null in each member',
    [
      start({ content: null, usage: null }),
      begin(null),
      begin({ type: 'text', text: null, citations: null }),
      text(null),
      delta(null),
      text('Hi'),
      close(),
      end('end_turn', null),
      stop,
    ],
    'Hi stop',
  ],
  ['text whose beginning is lost', [start(), text('Hi'), close(), ...done], 'Hi stop 7/5'],
  [
    'thoughts whose beginning is lost',
    [start(), delta({ type: 'thinking_delta', thinking: 'Hm.' }, 1), ...hi, ...done],
    '[Hm.] Hi stop 7/5',
  ],
  [
    'no numbers',
    [
      start(),
      begin({ type: 'text', text: '' }, null),
      delta({ type: 'text_delta', text: 'Hi' }, null),
      close(null),
      ...done,
    ],
    'Hi stop 7/5',
  ],
  [
    'a number that is a text',
    [start(), begin(call(), '0'), input('{"note":"a"}'), close(), ...calls],
    'look#a{"note":"a"} tool-calls 7/5',
  ],
  [
    'number 0 for each block',
    [start(), ...hi, begin(call()), input('{"note":"a"}'), close(), ...calls],
    'Hi look#a{"note":"a"} tool-calls 7/5',
  ],
  [
    'input whole behind its fragments',
    [start(), begin(call()), input('{"note":'), input('"a"}'), input('{"note":"a"}'), close(), ...calls],
    'look#a{"note":"a"} tool-calls 7/5',
  ],
  [
    'input of {} and then whole',
    [start(), begin(call()), input('{}'), input('{"note":"a"}'), close(), ...calls],
    'look#a{"note":"a"} tool-calls 7/5',
  ],
  [
    'input whole at the beginning and in fragments',
    [start(), begin(call({ input: { note: 'a' } })), input('{"note":"a"}'), close(), ...calls],
    'look#a{"note":"a"} tool-calls 7/5',
  ],
  [
    'input that is a text',
    [start(), begin(call({ input: '{"note":"a"}' })), close(), ...calls],
    'look#a{"note":"a"} tool-calls 7/5',
  ],
  [
    'input that is an object in its fragment',
    [start(), begin(call()), input({ note: 'a' }), close(), ...calls],
    'look#a{"note":"a"} tool-calls 7/5',
  ],
  ['input that is null', [start(), begin(call({ input: null })), close(), ...calls], 'look#a{} tool-calls 7/5'],
  ['no end of a block', [start(), begin(call()), input('{"note":"a"}'), ...calls], 'look#a{"note":"a"} tool-calls 7/5'],
  [
    'an id of 300 characters',
    [start(), begin(call({ id: 'x'.repeat(300) })), close(), ...calls],
    `look#${'x'.repeat(300)}{} tool-calls 7/5`,
  ],
  [
    'the reason of an answer behind a call',
    [start(), begin(call()), input('{}'), close(), ...done],
    'look#a{} stop 7/5',
  ],
  ['no reason', [start(), ...hi, stop], 'Hi stop 7/0'],
  ['no message_stop', [start(), ...hi, end('end_turn')], 'Hi stop 7/5'],
  ["OpenAI's word for a limit", [start(), ...hi, end('length'), stop], 'Hi length 7/5'],
  ["OpenAI's word for a filter", [start(), ...hi, end('content_filter'), stop], 'Hi content-filter 7/5'],
  [
    'counts at the end alone',
    [start({ usage: { input_tokens: 0 } }), ...hi, end('end_turn', { input_tokens: 7, output_tokens: 5 }), stop],
    'Hi stop 7/5',
  ],
  [
    'counts of 0 at the end',
    [start(), ...hi, end('end_turn', { input_tokens: 0, output_tokens: 5 }), stop],
    'Hi stop 7/5',
  ],
  ['two ends', [start(), ...hi, end(null, { output_tokens: 2 }), ...done], 'Hi stop 7/5'],
  ['[DONE]', [start(), ...hi, ...done, { event: 'done', data: '[DONE]' }], 'Hi stop 7/5'],
  [
    'an error under another name',
    [start(), { event: 'message', data: { type: 'error', error: { type: 'overloaded_error', message: 'Busy' } } }],
    'model_overloaded: m is overloaded: Busy. Try again in a while.',
  ],
])('%s', async (_, events, gist) => {
  expect(await gistOf(make, { body: sse(events) })).toBe(gist);
});

it.each<readonly [shape: string, ids: readonly unknown[]]>([
  ['two calls of one id', ['a', 'a']],
  ['calls without ids', [undefined, null]],
])('gives %s ids of their own', async (_, ids) => {
  const events = ids.flatMap((id, index) => [
    begin(call({ id }), index),
    input(`{"note":"${index}"}`, index),
    close(index),
  ]);
  const shown = await gistOf(make, { body: sse([start(), ...events, ...calls]) });
  const [, first, second] = /^look#(\w+)\{"note":"0"\} look#(\w+)\{"note":"1"\} tool-calls 7\/5$/.exec(shown) ?? [];
  expect([first, second].every((id) => /^(?:a|call_\w{32})$/.test(id ?? ''))).toBe(true);
  expect(first).not.toBe(second);
});
