// Shapes that servers between Google and us make of generateContent, over HTTP and the official SDK.
import { sse } from '@utensil/tooling-loopback';
import { gistOf } from '@utensil/tooling-loopback/gist';
import { expect, it } from 'vitest';
import { google } from '../google.ts';

type Row = readonly [shape: string, data: readonly unknown[], gist: string];
const body = (data: readonly unknown[]) => ({ body: sse(data.map((each) => ({ data: each }))) });

const make = (baseUrl: string) => google('m', { apiKey: 'k', baseUrl, newId: () => 'new' });
const chunk = (parts: unknown, more: object = {}, top: object = {}) => ({
  candidates: [{ content: { parts }, index: 0, ...more }],
  ...top,
});
const call = (args: unknown, more: object = {}) => ({ functionCall: { name: 'look', args, ...more } });
const none = { thought: null, functionCall: null, inlineData: null, executableCode: null, toolCall: null };
const stop = { finishReason: 'STOP' };
const usageMetadata = { promptTokenCount: 7, candidatesTokenCount: 5, totalTokenCount: 12 };

it.each<Row>([
  [
    'null in each member',
    [
      chunk(null, { finishReason: null, groundingMetadata: null }, { usageMetadata: null, promptFeedback: null }),
      { candidates: null },
      { candidates: [null] },
      { candidates: [{ content: null }] },
      chunk([null, { text: null }, { text: 'Hi', ...none }]),
      chunk([], stop, { usageMetadata }),
    ],
    'Hi stop 7/5',
  ],
  [
    'counts of null at the end',
    [
      chunk([{ text: 'Hi' }], {}, { usageMetadata }),
      chunk([], stop, { usageMetadata: { promptTokenCount: null, candidatesTokenCount: null } }),
    ],
    'Hi stop 7/5',
  ],
  ['counts without candidates', [chunk([{ text: 'Hi' }], stop), { candidates: [], usageMetadata }], 'Hi stop 7/5'],
  ['counts at the beginning alone', [{ usageMetadata }, chunk([{ text: 'Hi' }], stop)], 'Hi stop 7/5'],
  ['text behind the reason', [chunk([{ text: 'Hel' }], stop), chunk([{ text: 'lo' }], stop)], 'Hello stop'],
  ['a reason in small letters', [chunk([{ text: 'Hi' }], { finishReason: 'stop' })], 'Hi stop'],
  [
    'an empty reason, and a count',
    [chunk([{ text: 'Hi' }], { finishReason: '' }), chunk([], {}, { usageMetadata })],
    'Hi stop 7/5',
  ],
  [
    'candidates that nobody asked for',
    [chunk([{ text: 'A' }]), chunk([{ text: 'B' }], { index: 1, ...stop }), chunk([], stop)],
    'A stop',
  ],
  ['arguments that are a text', [chunk([call('{"note":"a"}')], stop)], 'look#new{"note":"a"} tool-calls'],
  ['arguments that are null', [chunk([call(null)], stop)], 'look#new{} tool-calls'],
  ['arguments that are a list', [chunk([call(['a'])], stop)], 'look#new["a"]! tool-calls'],
  [
    'two calls of one id',
    [chunk([call({ note: 'a' }, { id: 'x' })]), chunk([call({ note: 'b' }, { id: 'x' })], stop)],
    'look#x{"note":"a"} look#new{"note":"b"} tool-calls',
  ],
  [
    'an id of 300 characters',
    [chunk([call({}, { id: 'x'.repeat(300) })], stop)],
    `look#${'x'.repeat(300)}{} tool-calls`,
  ],
  [
    'a name in a module',
    [chunk([{ functionCall: { name: 'default_api.look', args: {} } }], stop)],
    'look#new{} tool-calls',
  ],
  ['[DONE]', [chunk([{ text: 'Hi' }], stop), '[DONE]'], 'Hi stop'],
])('%s', async (_, data, gist) => {
  expect(await gistOf(make, body(data))).toBe(gist);
});

it('gives back arguments as the API takes them', async () => {
  const states = [];
  const fetch = async () =>
    new Response(sse([{ data: chunk([call('{"note":"a"}'), call(null)], stop) }]), {
      headers: { 'content-type': 'text/event-stream' },
    });
  const stream = google('m', { apiKey: 'k', fetch }).stream(
    { system: '', messages: [], tools: [], toolChoice: 'auto' },
    { signal: new AbortController().signal },
  );
  for await (const part of stream) if (part.type === 'finish') states.push(part.state);
  expect(states).toMatchObject([{ parts: [call({ note: 'a' }), { functionCall: { name: 'look' } }] }]);
  expect(JSON.stringify(states)).not.toContain('null');
});
