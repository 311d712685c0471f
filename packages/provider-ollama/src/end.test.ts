import type { ModelPart, ModelRequest } from '@utensil/core';
import { noUsage } from '@utensil/core';
import { loopback } from '@utensil/tooling-loopback';
import { expect, it } from 'vitest';
import { ollama } from './ollama.ts';

// Ends without `done: true`, which Ollama itself and servers that imitate it have sent:
// https://github.com/ollama/ollama/issues/10015

const request: ModelRequest = { system: '', messages: [], tools: [], toolChoice: 'auto' };
const { signal } = new AbortController();

const line = (message: object, more: object = {}): string =>
  `${JSON.stringify({ model: 'm', created_at: '', message: { role: 'assistant', content: '', ...message }, done: false, ...more })}\n`;
const hello = line({ content: 'Hello' });
const call = line({ tool_calls: [{ function: { name: 'read', arguments: { path: 'a' } } }] });
const counts = { prompt_eval_count: 7, eval_count: 2 };

async function turn(body: readonly string[]) {
  await using server = await loopback(() => ({ headers: { 'content-type': 'application/x-ndjson' }, body }));
  const parts: ModelPart[] = [];
  try {
    for await (const part of ollama('m', { baseURL: server.url }).stream(request, { signal })) parts.push(part);
  } catch (error) {
    return { parts, error };
  }
  return { parts, error: undefined };
}

const usage = { ...noUsage, inputTokens: 7, outputTokens: 2 };

it.each<[string, readonly string[], object]>([
  ['counts behind a text', [hello, line({}, counts)], { reason: 'stop', usage }],
  ['counts behind a call', [call, line({}, counts)], { reason: 'tool-calls', usage }],
  ['a reason beside the last text', [hello, line({ content: '.' }, { done_reason: 'stop' })], { reason: 'stop' }],
  ['a reason that is the limit', [hello, line({}, { done_reason: 'length', ...counts })], { reason: 'length', usage }],
])('takes %s for the end of an answer that is not said to be done', async (_, lines, expected) => {
  const { parts, error } = await turn(lines);
  expect(error).toBeUndefined();
  expect(parts.filter(({ type }) => type === 'finish')).toEqual([expect.objectContaining(expected)]);
  expect(parts.at(-1)).toMatchObject(expected);
});

it.each<[string, readonly string[]]>([
  ['nothing is counted', [hello]],
  ['a call came, and perhaps another was to follow', [call]],
  ['only thoughts came', [line({ thinking: 'Hm.' }), line({}, counts)]],
  ['each line has a count, and the last one more text', [hello, line({ content: ', wor' }, counts)]],
  ['more text came behind a count', [hello, line({}, counts), hello]],
  ['a line is cut', [hello, line({}, counts).slice(0, -30)]],
])('notices an answer that broke off, where %s', async (_, lines) => {
  expect((await turn(lines)).error).toMatchObject({ code: 'stream_truncated' });
});
