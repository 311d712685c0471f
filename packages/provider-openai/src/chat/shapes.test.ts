// Shapes that servers like OpenAI's and gateways before them send, against its documentation, over HTTP and the official SDK.
import { type Reply, sse } from '@utensil/tooling-loopback';
import { gistOf } from '@utensil/tooling-loopback/gist';
import { describe, expect, it } from 'vitest';
import { openaiCompatible } from '../compatible/compatible.ts';

const make = (baseURL: string) => {
  let ids = 0;
  return openaiCompatible({ baseURL, model: 'm', newId: () => `new${++ids}` });
};
const chunk = (delta: unknown, more: object = {}, top: object = {}) => ({
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
  ...top,
});
const ends = (reason: string) => chunk({}, { finish_reason: reason });
const body = (...chunks: readonly unknown[]): Reply => ({ body: sse(chunks.map((data) => ({ data }))) });
const call = (text: unknown, more: object = {}) =>
  chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: text }, ...more }] });
const more = (text: unknown, given: object = {}) =>
  chunk({ tool_calls: [{ index: 0, function: { arguments: text }, ...given }] });
const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
const none = { role: null, content: null, refusal: null, tool_calls: null, function_call: null, reasoning: null };
const noNews = { reasoning_content: null, annotations: null, images: null, audio: null };
const calls = ends('tool_calls');
const stop = ends('stop');
const done = '[DONE]';

type Row = readonly [shape: string, chunks: readonly unknown[], gist: string];

const callRows: readonly Row[] = [
  [
    'whole behind their fragments',
    [call(''), more('{"note":'), more('"a"}'), more('{"note":"a"}'), calls],
    '#a{"note":"a"}',
  ],
  [
    'whole behind them, each with a name',
    [call('{"note":'), call('"a"}'), call('{"note":"a"}'), calls],
    '#a{"note":"a"}',
  ],
  ['all that came so far in each', [call('{"no'), call('{"note":"'), call('{"note":"a"}'), calls], '#a{"note":"a"}'],
  ['whole and twice', [call('{"note":"a"}'), call('{"note":"a"}'), calls], '#a{"note":"a"}'],
  ['{} and then whole', [call('{}'), more('{"note":"a"}'), calls], '#a{"note":"a"}'],
  ['{} and then in fragments', [call('{}'), more('{"no'), more('te":"a"}'), calls], '#a{"note":"a"}'],
  ['null and then an object', [call(null), more({ note: 'a' }), calls], '#a{"note":"a"}'],
  ['no JSON in front of whole ones', [call('note: '), more('{"note":"a"}'), calls], '#anote: {"note":"a"}!'],
  ['a key of its own in itself', [call('{"a":'), more('{"a":1}}'), calls], '#a{"a":{"a":1}}'],
  ['behind the reason', [call('{"no', {}), calls, more('te":"a"}')], '#a{"note":"a"}'],
];

describe('arguments', () => {
  it.each(callRows)('that come as %s', async (_, chunks, gist) => {
    expect(await gistOf(make, body(...chunks, done))).toBe(`look${gist} tool-calls`);
  });
});

const a = { index: 0, id: 'x', function: { name: 'look', arguments: '{"note":"a"}' } };
const b = { index: 1, id: 'x', function: { name: 'look', arguments: '{"note":"b"}' } };
const [, bare] = [a, b].map(({ index: _, ...rest }) => rest);
const two = 'look#x{"note":"a"} look#new1{"note":"b"}';

describe('calls', () => {
  it.each<Row>([
    ['two of one id', [chunk({ tool_calls: [a, b] }), calls], two],
    ['two of one id without numbers', [chunk({ tool_calls: [{ ...a, index: undefined }, bare] }), calls], two],
    [
      'all again at the end',
      [chunk({ tool_calls: [a, { ...b, id: 'y' }] }), chunk({ tool_calls: [a, { ...b, id: 'y' }] }), calls],
      'look#x{"note":"a"} look#y{"note":"b"}',
    ],
    [
      'numbers with gaps',
      [call('{"note":"a"}', { index: 3 }), call('{', { index: 7, id: 'b' }), more('"note":"b"}', { index: 7 }), calls],
      'look#a{"note":"a"} look#b{"note":"b"}',
    ],
    ['a number that is a text', [call('{"no', { index: '0' }), more('te":"a"}'), calls], 'look#a{"note":"a"}'],
    [
      'no number, but null',
      [call('{"no', { index: null }), more('te":"a"}', { index: null }), call('{}', { index: null, id: 'b' }), calls],
      'look#a{"note":"a"} look#b{}',
    ],
    [
      'a new id and the name in each fragment',
      [call('{"no'), call('te":"a"}', { id: 'b' }), calls],
      'look#a{"note":"a"}',
    ],
    [
      'an id behind the name',
      [call('', { id: undefined }), more('{"note":"a"}', { id: 'late' }), calls],
      'look#new1{"note":"a"}',
    ],
    ['an id that is a number', [call('{}', { id: 7 }), calls], 'look#7{}'],
    ['an id of 300 characters', [call('{}', { id: 'x'.repeat(300) }), calls], `look#${'x'.repeat(300)}{}`],
    ['one call in place of a list', [chunk({ tool_calls: a }), calls], 'look#x{"note":"a"}'],
    ['null in the list', [chunk({ tool_calls: [null, a] }), calls], 'look#x{"note":"a"}'],
    [
      'the older member',
      [
        chunk({ function_call: { name: 'look', arguments: '{"no' } }),
        chunk({ function_call: { arguments: 'te":"a"}' } }),
        ends('function_call'),
      ],
      'look#new1{"note":"a"}',
    ],
    [
      'in a second choice of the same number',
      [{ choices: [...chunk({ content: 'Hi' }).choices, ...call('{}').choices] }, calls],
      'Hi look#a{}',
    ],
  ])('%s', async (_, chunks, gist) => {
    expect(await gistOf(make, body(...chunks, done))).toBe(`${gist} tool-calls`);
  });
});

describe('answers', () => {
  it.each<Row>([
    [
      'null in each member',
      [
        chunk({ ...none, ...noNews }, { logprobs: null }, { usage: null, error: null }),
        null,
        chunk(null),
        { choices: null, usage: null },
        chunk({ content: 'Hi' }),
        stop,
      ],
      'Hi stop',
    ],
    [
      'a message in place of a delta',
      [{ choices: [{ index: 0, message: { content: 'Hi', tool_calls: [a] }, finish_reason: 'tool_calls' }], usage }],
      'Hi look#x{"note":"a"} tool-calls 7/5',
    ],
    ['a part in place of a text', [chunk({ content: { type: 'text', text: 'Hi' } }), stop], 'Hi stop'],
    [
      'choices that nobody asked for',
      [
        chunk({ content: 'A' }),
        chunk({ content: 'B' }, { index: 1 }),
        chunk({}, { index: 1, finish_reason: 'length' }),
        stop,
      ],
      'A stop',
    ],
    ['text behind the reason', [chunk({ content: 'Hel' }), stop, chunk({ content: 'lo' })], 'Hello stop'],
    [
      'a reason in each chunk',
      [chunk({ content: 'Hel' }, { finish_reason: 'stop' }), chunk({ content: 'lo' }, { finish_reason: 'stop' })],
      'Hello stop',
    ],
    ['a refusal in the middle', [chunk({ content: 'I ' }), chunk({ refusal: 'No.' }), stop], 'I No. refusal (No.)'],
    ['a count in the choice', [chunk({ content: 'Hi' }), chunk({}, { finish_reason: 'stop', usage })], 'Hi stop 7/5'],
    [
      'no choices in front, but a count behind',
      [{ choices: [], prompt_filter_results: [] }, chunk({ content: 'Hi' }), stop, { choices: [], usage }],
      'Hi stop 7/5',
    ],
  ])('%s', async (_, chunks, gist) => {
    expect(await gistOf(make, body(...chunks, done))).toBe(gist);
  });

  it.each<readonly [shape: string, delta: object]>([
    ['reasoning_content', { reasoning_content: 'Hm.' }],
    ['reasoning', { reasoning: 'Hm.' }],
    ['an object', { reasoning: { content: 'Hm.' } }],
    ['thinking', { thinking: 'Hm.' }],
    ['reasoning_text', { reasoning_text: 'Hm.' }],
    ['reasoning_details', { reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', index: 0 }] }],
    ['two members', { reasoning: 'Hm.', reasoning_content: 'Hm.' }],
    ['a member and its details', { reasoning: 'Hm.', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }],
  ])('thoughts in %s', async (_, delta) => {
    const details = chunk({ reasoning: '', reasoning_details: [{ type: 'reasoning.text', text: '', signature: 's' }] });
    expect(await gistOf(make, body(chunk(delta), details, chunk({ content: 'Hi' }), stop, done))).toBe('[Hm.] Hi stop');
  });

  it.each<readonly [reason: string, ours: string]>([
    ['max_tokens', 'length'],
    ['MAX_TOKENS', 'length'],
    ['model_length', 'length'], // Mistral
    ['SAFETY', 'content-filter'],
    ['sensitive', 'content-filter'], // Zhipu
    ['insufficient_system_resource', 'error'], // DeepSeek
    ['network_error', 'error'], // Zhipu
    ['abort', 'error'], // vLLM
    ['end_turn', 'stop'],
    ['eos', 'stop'],
  ])('the reason %s is %s', async (reason, ours) => {
    expect(await gistOf(make, body(chunk({ content: 'Hi' }), ends(reason), done))).toBe(`Hi ${ours}`);
  });
});

describe('errors', () => {
  it.each<readonly [shape: string, error: unknown, said: string]>([
    ['a text', { error: 'Boom' }, 'model_failed: m failed: Boom.'],
    ['detail', { detail: 'Boom' }, 'model_failed: m failed: Boom.'],
    ['msg', { code: '1113', msg: 'Boom' }, 'model_failed: m failed: Boom.'],
    [
      'message',
      { object: 'error', message: 'Boom', code: 429 },
      'model_rate_limited: m has had too many requests: Boom.',
    ],
  ])('in %s', async (_, error, said) => {
    expect(await gistOf(make, body(error, done))).toContain(said);
  });
});
