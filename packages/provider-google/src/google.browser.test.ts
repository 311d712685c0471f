// The official SDK as it is in a page, with a `fetch` that answers. What it answers is made by hand.

import type { Model } from '@utensil/core';
import { expect, test } from 'vitest';
import { google, googleInteractions } from './google.ts';

interface Sent {
  readonly url: string;
  readonly key: string | null;
}

const candidate = { content: { role: 'model', parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' };
const step = { event_type: 'step.start', index: 0, step: { type: 'model_output' } };
const delta = { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'Hello.' } };
const completed = { event_type: 'interaction.completed', interaction: { id: 'i', status: 'completed' } };

function answering(events: readonly object[], sent: Sent[]): typeof fetch {
  return async function answer(input, init) {
    const request = new Request(input, init);
    sent.push({ url: request.url, key: request.headers.get('x-goog-api-key') });
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
}

async function read(model: Model): Promise<string> {
  const messages = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }], createdAt: 0 }] as const;
  const { signal } = new AbortController();
  let text = '';
  for await (const part of model.stream({ system: '', messages, tools: [], toolChoice: 'auto' }, { signal })) {
    if (part.type === 'text-delta') text += part.text;
  }
  return text;
}

test.each([
  ['google', google, [{ candidates: [candidate] }], '/v1/models/gemini-3.8-flash:streamGenerateContent?alt=sse'],
  ['googleInteractions', googleInteractions, [step, delta, completed], '/v1/interactions'],
] as const)('%s streams in a page, and says where there is no key', async (_, make, events, path) => {
  const sent: Sent[] = [];
  const fetch = answering(events, sent);
  expect(await read(make('gemini-3.8-flash', { apiKey: 'k', fetch }))).toBe('Hello.');
  expect(sent).toEqual([{ url: `https://generativelanguage.googleapis.com${path}`, key: 'k' }]);
  await expect(read(make('gemini-3.8-flash', { fetch }))).rejects.toMatchObject({ code: 'missing_api_key' });
});

test.each([google, googleInteractions])('reports a server that is not there', async (make) => {
  const model = make('gemini-3.8-flash', { apiKey: 'k', baseUrl: 'http://127.0.0.1:9' });
  await expect(read(model)).rejects.toMatchObject({ code: 'model_unreachable', retryable: true });
});
