// Shapes that older servers and those like Ollama's send, over HTTP and the official SDK.
import { gistOf } from '@utensil/tooling-loopback/gist';
import { expect, it } from 'vitest';
import { ollama } from './ollama.ts';

const make = (baseURL: string) => ollama('m', { baseURL, newId: () => 'new' });
const line = (message: unknown, more: object = {}) => ({ message, done: false, ...more });
const call = (written: unknown, more: object = {}) =>
  line({ content: '', tool_calls: [{ ...more, function: { name: 'look', arguments: written } }] });
const end = { message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 7, eval_count: 5 };
const hi = line({ content: 'Hi' });

it.each<readonly [shape: string, lines: readonly object[], gist: string]>([
  [
    'null in each member',
    [
      line(null),
      line({ role: null, content: null, thinking: null, tool_calls: null }),
      line({ content: 'Hi', tool_calls: [null] }),
      end,
    ],
    'Hi stop 7/5',
  ],
  ['parts in place of a text', [line({ content: [{ type: 'text', text: 'Hi' }] }), end], 'Hi stop 7/5'],
  ['a part in place of a text', [line({ content: { text: 'Hi' } }), end], 'Hi stop 7/5'],
  ['parts in place of thoughts', [line({ thinking: [{ type: 'text', text: 'Hm.' }] }), hi, end], '[Hm.] Hi stop 7/5'],
  [
    'one call in place of a list',
    [line({ tool_calls: { function: { name: 'look', arguments: { note: 'a' } } } }), end],
    'look#new{"note":"a"} tool-calls 7/5',
  ],
  ['arguments that are a text', [call('{"note":"a"}'), end], 'look#new{"note":"a"} tool-calls 7/5'],
  ['arguments that are null', [call(null), end], 'look#new{} tool-calls 7/5'],
  ['an id that is a number', [call({}, { id: 7 }), end], 'look#7{} tool-calls 7/5'],
  ['an id of 300 characters', [call({}, { id: 'x'.repeat(300) }), end], `look#${'x'.repeat(300)}{} tool-calls 7/5`],
  [
    'two calls of one id',
    [call({ note: 'a' }, { id: 'x' }), call({ note: 'b' }, { id: 'x' }), end],
    'look#x{"note":"a"} look#new{"note":"b"} tool-calls 7/5',
  ],
  [
    'an error that is an object',
    [{ error: { message: 'Boom', code: 500 } }],
    'model_failed: The server of m failed: Boom. Try again.',
  ],
])('%s', async (_, lines, gist) => {
  const body = lines.map((each) => `${JSON.stringify(each)}\n`).join('');
  expect(await gistOf(make, { body, headers: { 'content-type': 'application/x-ndjson' } })).toBe(gist);
});
