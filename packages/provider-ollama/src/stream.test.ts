import type { ModelPart, ModelRequest } from '@utensil/core';
import { noUsage } from '@utensil/core';
import { type Reply, cut, loopback } from '@utensil/tooling-loopback';
import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { ollama } from './ollama.ts';

const request: ModelRequest = { system: '', messages: [], tools: [], toolChoice: 'auto' };
const { signal } = new AbortController();
const headers = { 'content-type': 'application/x-ndjson' };

const line = (message: object, more: object = {}) => ({
  model: 'qwen3',
  created_at: '2026-08-21T10:00:00.000000Z',
  message: { role: 'assistant', content: '', ...message },
  done: false,
  ...more,
});
const last = (more: object = {}) =>
  line({}, { done: true, done_reason: 'stop', total_duration: 5, prompt_eval_count: 120, eval_count: 34, ...more });
const calling = (...calls: readonly object[]) => line({ tool_calls: calls });
const wire = (...lines: readonly object[]) => lines.map((each) => `${JSON.stringify(each)}\n`).join('');

/** The parts of one turn, and the error that it threw. */
async function turn(reply: Reply) {
  await using server = await loopback(() => ({ headers, ...reply }));
  let ids = 0;
  const model = ollama('qwen3', { baseURL: server.url, newId: () => `new_${ids++}` });
  const parts: ModelPart[] = [];
  try {
    for await (const part of model.stream(request, { signal })) parts.push(part);
  } catch (error) {
    return { parts, error };
  }
  return { parts, error: undefined };
}

async function partsOf(...lines: readonly object[]): Promise<readonly ModelPart[]> {
  const { parts, error } = await turn({ body: wire(...lines) });
  expect(error).toBeUndefined();
  return parts;
}

const callsIn = (parts: readonly ModelPart[]) =>
  parts.flatMap((part) =>
    part.type === 'tool-call' ? [[part.callId, part.name, part.invalidInput ?? part.input]] : [],
  );

const counted = { ...noUsage, inputTokens: 120, outputTokens: 34 };
const whole = [
  line({ thinking: 'Let me ' }),
  line({ thinking: 'look.' }),
  line({ content: 'Rea' }),
  line({ content: 'ding – ü€𝄞' }),
  calling({ id: 'call_1', function: { index: 0, name: 'read', arguments: { path: 'ä.md' } } }),
  calling({ id: 'call_2', function: { index: 0, name: 'now', arguments: {} } }),
  last(),
];
const wholeParts: readonly ModelPart[] = [
  { type: 'reasoning-delta', text: 'Let me ' },
  { type: 'reasoning-delta', text: 'look.' },
  { type: 'text-delta', text: 'Rea' },
  { type: 'text-delta', text: 'ding – ü€𝄞' },
  { type: 'tool-input-start', callId: 'call_1', name: 'read' },
  { type: 'tool-input-delta', callId: 'call_1', delta: '{"path":"ä.md"}' },
  { type: 'tool-call', callId: 'call_1', name: 'read', input: { path: 'ä.md' }, executedBy: 'us' },
  { type: 'tool-input-start', callId: 'call_2', name: 'now' },
  { type: 'tool-input-delta', callId: 'call_2', delta: '{}' },
  { type: 'tool-call', callId: 'call_2', name: 'now', input: {}, executedBy: 'us' },
  { type: 'finish', reason: 'tool-calls', usage: counted },
];

it('streams thoughts, text and the calls of several lines, if the reason is stop and every index 0', async () => {
  expect(await partsOf(...whole)).toEqual(wholeParts);
});

it('gives the same parts however the bytes are cut', async () => {
  const body = wire(...whole);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(body.length * 2), { maxLength: 30 }), async (offsets) => {
      expect(await turn({ body: cut(body, offsets) })).toEqual({ parts: wholeParts, error: undefined });
    }),
    { numRuns: 30 },
  );
});

it('reports every stream that stops before its end', async () => {
  const body = new TextEncoder().encode(wire(...whole));
  const withoutEnd = new TextEncoder().encode(wire(...whole.slice(0, -1))).length;
  await fc.assert(
    fc.asyncProperty(fc.nat(withoutEnd), fc.constantFrom('end' as const, 'destroy' as const), async (length, end) => {
      const { parts, error } = await turn({ body: [body.slice(0, length)], end });
      expect(parts).toEqual(wholeParts.slice(0, parts.length));
      expect(error).toMatchObject({ code: 'stream_truncated', retryable: true });
    }),
    { numRuns: 30 },
  );
});

it('[S4-12] gives ids to calls without one, and to those that repeat one', async () => {
  const read = { name: 'read', arguments: { n: 1 } };
  const parts = await partsOf(
    calling({ function: read }, { id: 'a', function: read }),
    calling({ id: 'a', function: read }),
    last(),
  );
  expect(callsIn(parts).map(([id]) => id)).toEqual(['new_0', 'a', 'new_1']);
});

it('[S4-12] reads arguments that are missing, text, or no object', async () => {
  const written = [undefined, null, '', '{"n":1}', '{"n', [1]];
  const parts = await partsOf(
    calling(...written.map((args) => ({ function: { name: 'f', arguments: args } }))),
    last(),
  );
  expect(callsIn(parts).map(([, , input]) => input)).toEqual([{}, {}, {}, { n: 1 }, '{"n', '[1]']);
});

it.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['load', 'stop'],
  [undefined, 'stop'],
])('ends with the reason %s as %s, and counts what it is told', async (done_reason, reason) => {
  const end = line({}, { done: true, done_reason });
  expect(await partsOf(line({ content: 'x' }), end)).toEqual([
    { type: 'text-delta', text: 'x' },
    { type: 'finish', reason, usage: noUsage },
  ]);
});

it('reads an answer of one line, with the text and the end in it', async () => {
  const only = JSON.stringify(last({ message: { role: 'assistant', content: 'Hi' } }));
  const { parts } = await turn({ body: only });
  expect(parts.map(({ type }) => type)).toEqual(['text-delta', 'finish']);
});

it('notices a line in the midst that the SDK passes over', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const bad = '{"model":"qwen3","message":{"content":"l","done":false}\n';
  const body = `${wire(line({ content: 'Hel' }))}${bad}${wire(line({ content: 'o' }), last())}`;
  const { parts, error } = await turn({ body });
  expect(parts.map((part) => (part.type === 'text-delta' ? part.text : part))).toEqual(['Hel', 'o']);
  expect(error).toMatchObject({ code: 'stream_truncated' });
  vi.restoreAllMocks();
});

it.each([
  [
    '{"error":"an error was encountered while running the model: CUDA error"}\n',
    'model_failed',
    'CUDA error. Try again',
  ],
  ['{"error":{"message":"odd"}}\n', 'model_failed', 'failed: odd.'],
  ['{"error":{"odd":7}}\n', 'model_failed', '{"odd":7}'],
  ['{"mess\n', 'stream_truncated', 'The answer of qwen3 ended early. What had come is kept; try again.'],
  ['null\n', 'stream_truncated', 'ended early'],
])('reports the line %j after the parts before it, and prints nothing', async (bad, code, said) => {
  const consoles = (['log', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));
  const body = `${wire(line({ content: 'Hel' }), line({ content: 'lo' }))}\n\r\n${bad}${wire(last())}`;
  const { parts, error } = await turn({ body });
  expect(parts.map((part) => (part.type === 'text-delta' ? part.text : part))).toEqual(['Hel', 'lo']);
  expect(error).toMatchObject({ code, message: expect.stringContaining(said) as string });
  for (const spy of consoles) expect(spy).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

it('failed the whole turn for arguments nested 100,000 levels deep, in place of the call', async () => {
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const body = wire(calling({ function: { name: 't', arguments: 'HERE' } }), last()).replace(
    '"HERE"',
    `{"a":${nested}}`,
  );
  const { parts, error } = await turn({ body });
  expect(error).toBeUndefined();
  expect(callsIn(parts)).toEqual([['new_0', 't', expect.stringMatching(/^\{"a":\[\[\[/) as string]]);
});
