import type { ModelPart } from '@utensil/core';
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

it.each<[string, Reply]>([
  ['a refusal', { status: 400, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) }],
  ['an error inside of a stream', { body: sse([{ event: 'error', data: { error: { ...error, status_code: 400 } } }]) }],
  ['a chunk', { body: sse([{ data: { choices: [], error } }]) }],
])('lets a model try again whose call Groq could not read, and tells what it wrote, in %s', async (_, reply) => {
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
});
