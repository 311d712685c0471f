import type { ModelPart, ModelRequest } from '@utensil/core';
import { noUsage } from '@utensil/core';
import { loopback, sse } from '@utensil/tooling-loopback';
import { expect, it } from 'vitest';
import { google } from '../google.ts';

// Ends without `finishReason`: gateways drop it, and Google's own last chunk may have nothing but it and a count.
// https://github.com/agentjido/req_llm/issues/638, https://github.com/songquanpeng/one-api/pull/1477

const request: ModelRequest = { system: '', messages: [], tools: [], toolChoice: 'auto' };
const { signal } = new AbortController();
const usageMetadata = { promptTokenCount: 7, candidatesTokenCount: 2, totalTokenCount: 9 };
const chunk = (...parts: readonly object[]) => ({ candidates: [{ content: { role: 'model', parts } }] });
const hello = { ...chunk({ text: 'Hello' }), usageMetadata };
const call = { ...chunk({ functionCall: { name: 'read', args: { path: 'a' } } }), usageMetadata };
const bytes = (...chunks: readonly unknown[]): string => sse(chunks.map((data) => ({ data })));

async function turn(body: string) {
  await using server = await loopback(() => ({ headers: { 'content-type': 'text/event-stream' }, body }));
  const parts: ModelPart[] = [];
  try {
    const model = google('gemini-3.8-flash', { apiKey: 'k', baseUrl: server.url });
    for await (const part of model.stream(request, { signal })) parts.push(part);
  } catch (error) {
    return { parts, error };
  }
  return { parts, error: undefined };
}

const usage = { ...noUsage, inputTokens: 7, outputTokens: 2 };

it.each<[string, readonly unknown[], object]>([
  ['a text', [hello, { usageMetadata }], { reason: 'stop', usage }],
  ['a text, in a candidate without parts', [hello, { ...chunk(), usageMetadata }], { reason: 'stop', usage }],
  ['a call', [call, { usageMetadata }], { reason: 'tool-calls', usage }],
])('takes a count by itself behind %s for the end, where no reason is given', async (_, chunks, expected) => {
  const { parts, error } = await turn(bytes(...chunks));
  expect(error).toBeUndefined();
  expect(parts.at(-1)).toMatchObject({ type: 'finish', ...expected });
});

it.each<[string, string]>([
  ['the last chunk has text, and a count as all others', bytes(hello, hello)],
  ['a call came, and perhaps another was to follow', bytes(call)],
  ['only thoughts came', bytes(chunk({ text: 'Hm.', thought: true }), { usageMetadata })],
  ['more text came behind the count', bytes(hello, { usageMetadata }, hello)],
  ['only the question is counted', bytes(hello, { usageMetadata: { promptTokenCount: 7 } })],
  ['the JSON of the last chunk is cut', bytes(hello) + bytes({ usageMetadata }).slice(0, -20)],
])('notices an answer that broke off, where %s', async (_, body) => {
  expect((await turn(body)).error).toMatchObject({ code: 'stream_truncated' });
});
