// Shapes that servers between Google and us make of the Interactions API, over HTTP and the official SDK.
import { sse } from '@utensil/tooling-loopback';
import { gistOf } from '@utensil/tooling-loopback/gist';
import { expect, it } from 'vitest';
import { googleInteractions } from '../google.ts';

type Row = readonly [shape: string, data: readonly unknown[], gist: string];
const body = (data: readonly unknown[]) => ({ body: sse(data.map((each) => ({ data: each }))) });

const make = (baseUrl: string) => googleInteractions('m', { apiKey: 'k', baseUrl });
const event = (event_type: string, more: object = {}) => ({ event_type, ...more });
const start = (step: unknown, index?: number) => event('step.start', { index, step });
const delta = (given: unknown, index?: number) => event('step.delta', { index, delta: given });
const stop = (index?: number) => event('step.stop', { index });
const usage = { total_input_tokens: 7, total_output_tokens: 5 };
const end = (more: object = {}) =>
  event('interaction.completed', { interaction: { id: 'v1', status: 'completed', usage, ...more } });
const call = (more: object = {}) => ({ type: 'function_call', id: 'a', name: 'look', arguments: {}, ...more });
const input = (written: unknown) => delta({ type: 'arguments_delta', arguments: written }, 0);
const text = (said: unknown, index?: number) => delta({ type: 'text', text: said }, index);
const hi = [start({ type: 'model_output', content: [] }, 0), text('Hi', 0), stop(0)];
const calls = end({ status: 'requires_action' });

it.each<Row>([
  [
    'null in each member',
    [
      event('interaction.created', { interaction: null }),
      start(null, 0),
      delta(null, 0),
      start({ type: 'model_output', content: null }, 0),
      text(null, 0),
      text('Hi', 0),
      stop(0),
      end({ usage: null, steps: null }),
    ],
    'Hi stop',
  ],
  ['null in place of the end', [...hi, event('interaction.completed', { interaction: null })], 'Hi stop'],
  ['text whose beginning is lost', [text('Hi', 0), stop(0), end()], 'Hi stop 7/5'],
  ['no numbers', [start({ type: 'model_output', content: [] }), text('Hi'), stop(), end()], 'Hi stop 7/5'],
  [
    'number 0 for each step',
    [...hi, start(call({ arguments: { note: 'a' } }), 0), stop(0), calls],
    'Hi look#a{"note":"a"} tool-calls 7/5',
  ],
  ['no end of a step', [start(call(), 0), input('{"note":"a"}'), calls], 'look#a{"note":"a"} tool-calls 7/5'],
  [
    'arguments that are a text',
    [start(call({ arguments: '{"note":"a"}' }), 0), stop(0), calls],
    'look#a{"note":"a"} tool-calls 7/5',
  ],
  ['arguments that are null', [start(call({ arguments: null }), 0), stop(0), calls], 'look#a{} tool-calls 7/5'],
  [
    'arguments that are an object in their fragment',
    [start(call(), 0), input({ note: 'a' }), stop(0), calls],
    'look#a{"note":"a"} tool-calls 7/5',
  ],
  [
    'arguments whole behind their fragments',
    [start(call(), 0), input('{"note":'), input('"a"}'), input('{"note":"a"}'), stop(0), calls],
    'look#a{"note":"a"} tool-calls 7/5',
  ],
  [
    'all steps again at the end',
    [...hi, end({ steps: [{ type: 'model_output', content: [{ type: 'text', text: 'Hi' }] }] })],
    'Hi stop 7/5',
  ],
  [
    'all steps at the end alone',
    [
      end({
        steps: [{ type: 'model_output', content: [{ type: 'text', text: 'Hi' }] }, call({ arguments: { note: 'a' } })],
        status: 'requires_action',
      }),
    ],
    'Hi look#a{"note":"a"} tool-calls 7/5',
  ],
  [
    'the words of a failure at the end',
    [end({ status: 'failed', error: { code: 'internal', message: 'Boom' } })],
    'error 7/5 (Boom)',
  ],
  [
    'an error that is a text',
    [event('error', { error: 'Boom' })],
    'model_failed: m failed: Boom. Try again; if it stays, change the request.',
  ],
])('%s', async (_, data, gist) => {
  expect(await gistOf(make, body(data))).toBe(gist);
});

it.each<readonly [shape: string, ids: readonly unknown[]]>([
  ['two calls of one id', ['a', 'a']],
  ['calls without ids', [undefined, null]],
])('gives %s ids of their own', async (_, ids) => {
  const steps = ids.flatMap((id, index) => [start(call({ id, arguments: { index } }), index), stop(index)]);
  const shown = await gistOf(make, body([...steps, calls]));
  const [, first, second] = /^look#(\w+)\{"index":0\} look#(\w+)\{"index":1\} tool-calls 7\/5$/.exec(shown) ?? [];
  expect([first, second].every((id) => /^(?:a|call_\w{32})$/.test(id ?? ''))).toBe(true);
  expect(first).not.toBe(second);
});
