import type { Json, Message, Model, ModelPart, ModelRequest } from '@utensil/core';
import { type RecordedRequest, loopback, sse } from '@utensil/tooling-loopback';
import { describe, expect, it } from 'vitest';
import { openaiCompatible } from '../compatible/compatible.ts';
import { openaiChat } from '../openai.ts';
import { openrouter } from '../openrouter/openrouter.ts';

const { signal } = new AbortController();
const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: '17 × 23?' }], createdAt: 0 };
const request: ModelRequest = { system: '', messages: [user], tools: [], toolChoice: 'auto' };
const chunk = (delta: object, finish_reason: string | null = null) => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
});
const wire = (...chunks: readonly unknown[]) => sse([...chunks, '[DONE]'].map((data) => ({ data })));

/** Every provider that speaks Chat Completions. */
const dialects: readonly (readonly [api: string, model: (baseURL: string) => Model])[] = [
  ['openai-chat', (baseURL) => openaiChat('m', { apiKey: 'k', baseURL })],
  ['openai-chat', (baseURL) => openaiCompatible({ apiKey: 'k', baseURL, model: 'm' })],
  ['openrouter-chat', (baseURL) => openrouter('m', { apiKey: 'k', baseURL })],
];

/** The parts of a turn, and the body of a request with that turn in its history. */
async function roundTrip(make: (baseURL: string) => Model, chunks: readonly unknown[], id = 'm') {
  await using server = await loopback(() => ({ body: wire(...chunks) }));
  const model = make(server.url);
  const parts: ModelPart[] = [];
  for await (const part of model.stream(request, { signal })) parts.push(part);
  const message = asMessage(parts, { api: model.info.api, model: id });
  for await (const _ of model.stream({ ...request, messages: [user, message] }, { signal }));
  const { messages } = (server.requests[1] as RecordedRequest).json() as {
    messages: { content: Json; tool_calls?: Json }[];
  };
  return { parts, echoed: messages[1] };
}

function asMessage(parts: readonly ModelPart[], origin: { readonly api: string; readonly model: string }): Message {
  const finish = parts.findLast((part) => part.type === 'finish');
  const text = parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : [])).join('');
  const calls = parts.filter((part) => part.type === 'tool-call');
  const { state } = finish ?? {};
  return {
    id: 'a',
    role: 'assistant',
    parts: [...(text === '' ? [] : [{ type: 'text', text } as const]), ...calls],
    createdAt: 0,
    origin: { ...origin, ...(state !== undefined && { state }) },
  };
}

const told = (parts: readonly ModelPart[], type: 'text-delta' | 'reasoning-delta') =>
  parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');

/** As `mistral-small-latest` streams with `reasoning_effort: 'high'`: https://docs.mistral.ai/capabilities/reasoning/ */
const mistral = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Okay, the' }], closed: true }] }),
  chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: ' user is' }] }] }),
  chunk({
    content: [
      { type: 'thinking', thinking: [{ type: 'text', text: ' asking.' }], closed: true },
      { type: 'text', text: '3' },
    ],
  }),
  chunk({ content: '91' }, 'stop'),
];

describe.each(dialects)('%s', (_, make) => {
  it("tells Mistral's thoughts and text apart, and gives the model both back as it sent them", async () => {
    const { parts, echoed } = await roundTrip(make, mistral);
    expect(told(parts, 'reasoning-delta')).toBe('Okay, the user is asking.');
    expect(told(parts, 'text-delta')).toBe('391');
    expect(echoed?.content).toEqual([
      { type: 'thinking', thinking: [{ type: 'text', text: 'Okay, the user is asking.' }], closed: true },
      { type: 'text', text: '391' },
    ]);
  });

  it('gives thoughts back in front of the calls to which they led', async () => {
    const [first, second] = mistral;
    const call = { index: 0, id: 'abcdef123', function: { name: 'multiply', arguments: '{"a":17,"b":23}' } };
    const { parts, echoed } = await roundTrip(make, [first, second, chunk({ tool_calls: [call] }, 'tool_calls')]);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
    expect(echoed).toMatchObject({
      content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Okay, the' }], closed: true }],
      tool_calls: [{ id: 'abcdef123' }],
    });
  });

  // https://docs.databricks.com/aws/en/machine-learning/model-serving/score-reason-models
  it('keeps the signature of thoughts that Databricks sends as summaries', async () => {
    const summary = (more: object) =>
      chunk({ content: [{ type: 'reasoning', summary: [{ type: 'summary_text', ...more }] }] });
    const { parts, echoed } = await roundTrip(make, [
      summary({ text: 'Let me ' }),
      summary({ text: 'see.' }),
      summary({ text: '', signature: 'sig==' }),
      chunk({ content: [{ type: 'text', text: 'Blue.' }] }, 'stop'),
    ]);
    expect([told(parts, 'reasoning-delta'), told(parts, 'text-delta')]).toEqual(['Let me see.', 'Blue.']);
    expect(echoed?.content).toEqual([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Let me see.', signature: 'sig==' }] },
      { type: 'text', text: 'Blue.' },
    ]);
  });

  it('takes a list of texts alone as text', async () => {
    const { parts, echoed } = await roundTrip(make, [
      chunk({ content: [{ type: 'text', text: 'Hel' }] }),
      chunk({ content: [{ type: 'text', text: 'lo' }, 'w'] }, 'stop'),
    ]);
    expect(parts.slice(0, -1).every(({ type }) => type === 'text-delta')).toBe(true);
    expect([told(parts, 'text-delta'), echoed?.content]).toEqual(['Hellow', 'Hellow']);
  });

  it('keeps the text that came before the first list of parts', async () => {
    const { echoed } = await roundTrip(make, [chunk({ content: 'First. ' }), ...mistral]);
    expect(echoed?.content).toMatchObject([
      { type: 'text', text: 'First. ' },
      { type: 'thinking' },
      { type: 'text', text: '391' },
    ]);
  });

  it('gives another model the text alone', async () => {
    const { echoed } = await roundTrip(make, mistral, 'another');
    expect(echoed?.content).toBe('391');
  });
});

const [, [, compatible]] = dialects as [unknown, (typeof dialects)[number]];

it('gives back the text as it is now, if it is not what the model wrote', async () => {
  await using server = await loopback(() => ({ body: wire(...mistral) }));
  const model = compatible(server.url);
  const state = {
    content: [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: '391' },
    ],
  };
  const origin = { api: 'openai-chat', model: 'm', state };
  const message: Message = {
    id: 'a',
    role: 'assistant',
    parts: [{ type: 'text', text: '[removed]' }],
    createdAt: 0,
    origin,
  };
  for await (const _ of model.stream({ ...request, messages: [user, message] }, { signal }));
  expect(server.requests[0]?.json()).toMatchObject({ messages: [{}, { content: '[removed]' }] });
});

// https://docs.mistral.ai/capabilities/citations/ and the chunks of its API: text, thinking, reference, tool_reference, image_url, …
it.each<[string, object, readonly object[]]>([
  [
    'a page that it cites',
    { type: 'tool_reference', tool: 'web_search', title: 'A', url: 'https://a.example' },
    [{ type: 'source', url: 'https://a.example', title: 'A' }],
  ],
  [
    'an image',
    { type: 'image_url', image_url: 'data:image/png;base64,aW1n' },
    [{ type: 'file', mediaType: 'image/png', data: 'aW1n' }],
  ],
  [
    'an image in an object',
    { type: 'image_url', image_url: { url: 'https://a.example/i.png' } },
    [{ type: 'file', mediaType: 'image/png', url: 'https://a.example/i.png' }],
  ],
  ['a mark that shows nothing', { type: 'reference', reference_ids: [0] }, []],
  ['a part of another kind, with text', { type: 'new', text: 'Hm' }, [{ type: 'text-delta', text: 'Hm' }]],
  ['a refusal', { type: 'refusal', refusal: 'No.' }, [{ type: 'text-delta', text: 'No.' }]],
])('reads %s in a content', async (_, part, expected) => {
  const { parts } = await roundTrip(compatible, [chunk({ content: [part] }), chunk({ content: 'x' }, 'stop')]);
  expect(parts.slice(0, -2)).toEqual(expected);
});

it.each(['reasoning_content', 'reasoning'])('takes parts in %s as the texts that are in them', async (name) => {
  const { parts } = await roundTrip(compatible, [
    chunk({ [name]: [{ type: 'text', text: 'Hm.' }] }),
    chunk({ content: 'x' }, 'stop'),
  ]);
  expect(parts[0]).toEqual({ type: 'reasoning-delta', text: 'Hm.' });
});
