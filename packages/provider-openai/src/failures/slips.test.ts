import {
  type ModelPart,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  resolveToolset,
  run,
} from '@utensil/core';
import { type Reply, loopback, sse } from '@utensil/tooling-loopback';
import { expect, it } from 'vitest';
import { openaiCompatible } from '../compatible/compatible.ts';

const { signal } = new AbortController();
const request = { system: '', messages: [], tools: [], toolChoice: 'auto' } as const;

// https://console.groq.com/docs/tool-use#error-handling, https://github.com/sipeed/picoclaw/issues/748
const error = {
  message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
  type: 'invalid_request_error',
  code: 'tool_use_failed',
  failed_generation: '<function=message{"channel": "cli"}</function>',
};

const slips: [string, Reply][] = [
  ['a refusal', { status: 400, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) }],
  ['an error inside of a stream', { body: sse([{ event: 'error', data: { error: { ...error, status_code: 400 } } }]) }],
  ['a chunk', { body: sse([{ data: { choices: [], error } }]) }],
];

it.each<[string, Reply]>(slips)(
  'lets a model try again whose call Groq could not read, and tells what it wrote, in %s',
  async (_, reply) => {
    await using server = await loopback(() => reply);
    const model = openaiCompatible({ baseURL: server.url, model: 'llama' });
    const asked = async (parts: ModelPart[] = []) => {
      for await (const part of model.stream(request, { signal })) parts.push(part);
    };
    await expect(asked()).rejects.toMatchObject({
      code: 'model_failed',
      retryable: true,
      message: expect.stringContaining('<function=message{"channel": "cli"}') as string,
    });
  },
);

it.each<[string, Reply]>(slips)('a run asks again after %s, and the call that follows is answered', async (_, slip) => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    data: { choices: [{ index: 0, delta, finish_reason }] },
  });
  const call = { index: 0, id: 'call_1', function: { name: 'message', arguments: '{"channel":"cli"}' } };
  const answers = [
    slip,
    { body: sse([chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'), { data: '[DONE]' }]) },
    slip,
    { body: sse([chunk({ content: 'Sent.' }), chunk({}, 'stop'), { data: '[DONE]' }]) },
  ];
  await using server = await loopback((_request, index) => answers[index] ?? { status: 404 });
  const given: unknown[] = [];
  const message = defineTool({
    name: 'message',
    description: 'Sends a message.',
    input: jsonSchema({ type: 'object', properties: { channel: { type: 'string' } }, required: ['channel'] }),
    effects: 'write',
    execute: (input) => (given.push(input), 'It is sent.'),
  });
  const environment = { now: () => 0, id: () => crypto.randomUUID(), after: atOnce };
  const played = run({
    model: openaiCompatible({ baseURL: server.url, model: 'llama' }),
    toolset: resolveToolset(createRegistry([message]), emptySettings, {}),
    messages: 'Say hello.',
    environment,
  });
  const retries: string[] = [];
  for await (const event of played.events()) if (event.type === 'step-retry') retries.push(event.error.code);
  const { status, text } = await played.result;
  expect([status, text, given, retries]).toEqual([
    'complete',
    'Sent.',
    [{ channel: 'cli' }],
    ['model_failed', 'model_failed'],
  ]);
  const [first, second, third, fourth] = server.requests.map(({ body }) => body);
  expect([second, fourth]).toEqual([first, third]);
  expect(third).toContain('It is sent.');
});

/** A wait of a run is over at once. */
function atOnce(_ms: number, then: () => void): () => void {
  const timer = setImmediate(then);
  return () => clearImmediate(timer);
}
