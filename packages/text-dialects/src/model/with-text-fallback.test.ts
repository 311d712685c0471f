import {
  UtensilError,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  resolveToolset,
  run,
} from '@utensil/core';
import type { ErrorCode, Model, ModelRequest } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { ollama } from '@utensil/provider-ollama';
import { openaiCompatible } from '@utensil/provider-openai/compatible';
import { loopback, sse } from '@utensil/tooling-loopback';
import type { Loopback, Reply } from '@utensil/tooling-loopback';
import { refuseOllamaChat, refuseOpenAIChat } from '@utensil/tooling-loopback/validators';
import type { Validator } from '@utensil/tooling-loopback/validators';
import { describe, expect, it } from 'vitest';
import { textModel, tools } from '../test-kit/text-model.ts';
import { withTextFallback } from './with-text-fallback.ts';

const clock = defineTool({
  name: 'clock',
  description: 'The time.',
  input: jsonSchema<{ zone: string }>({
    type: 'object',
    properties: { zone: { type: 'string' } },
    required: ['zone'],
  }),
  effects: 'read',
  execute: ({ zone }) => `12:00 in ${zone}`,
});
const toolset = resolveToolset(createRegistry([clock]), emptySettings, {});
const call = '<tool_call>\n{"name": "clock", "arguments": {"zone": "UTC"}}\n</tool_call>';

/** An API of a server whose model does not support tools. */
interface Api {
  readonly refuse: Validator;
  refusal(said: string, status: number): Reply;
  answer(text: string): Reply;
  model(server: Loopback): Model;
}

const json = { 'content-type': 'application/json' };

const ollamaApi: Api = {
  refuse: refuseOllamaChat,
  refusal: (error, status) => ({ status, headers: json, body: JSON.stringify({ error }) }),
  answer: (content) => ({
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${JSON.stringify({ message: { role: 'assistant', content }, done: true, done_reason: 'stop' })}\n`,
  }),
  model: ({ url }) => ollama('gemma:2b', { baseURL: url }),
};

const compatibleApi: Api = {
  refuse: refuseOpenAIChat,
  refusal: (message, status) => ({ status, headers: json, body: JSON.stringify({ error: { message, code: status } }) }),
  answer: (content) => ({
    body: sse([{ data: { choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] } }, { data: '[DONE]' }]),
  }),
  model: ({ url }) => openaiCompatible({ baseURL: `${url}/v1`, model: 'gemma:2b' }),
};

/** Refuses what has tools, answers with a call what has no result yet, and reads the result out. */
function serve({ refuse, refusal, answer }: Api, said: string, status: number): Promise<Loopback> {
  return loopback((request) => {
    const body = request.json() as { readonly tools?: unknown };
    if (body.tools !== undefined) return refusal(said, status);
    return refuse(body) ?? answer(JSON.stringify(body).includes('12:00 in UTC') ? 'It is noon.' : `Wait.\n${call}`);
  });
}

const ollamaSays = 'registry.ollama.ai/library/gemma:2b does not support tools';
const openRouterSays = 'No endpoints found that support tool use. To learn more about provider routing, visit: …';
const vllmSays = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';

it.each([
  ['ollama', ollamaApi, ollamaSays, 400],
  ['openai-compatible, at Ollama', compatibleApi, ollamaSays, 400],
  ['openai-compatible, at OpenRouter', compatibleApi, openRouterSays, 404],
  ['openai-compatible, at vLLM', compatibleApi, vllmSays, 400],
  ['openai-compatible, at llama.cpp', compatibleApi, 'tools param requires --jinja flag', 500],
  ['openai-compatible, at an older llama.cpp', compatibleApi, 'Unsupported param: tools', 500],
] as const)(
  '[S4-10] a model without native tools gets them through text, and its run does not fail: %s',
  async (_, api, said, status) => {
    await using server = await serve(api, said, status);
    const model = withTextFallback(api.model(server));
    const first = await run({ model, toolset, messages: 'What time is it?' }).result;
    expect([first.status, first.text, first.steps]).toEqual(['complete', 'It is noon.', 2]);
    expect(first.messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool-result'))).toMatchObject([
      { name: 'clock', output: '12:00 in UTC', isError: false },
    ]);
    // Refused once, and known from then on.
    const second = await run({ model, toolset, messages: 'And now?' }).result;
    expect([second.status, second.text]).toEqual(['complete', 'It is noon.']);
    expect(server.requests.map((request) => 'tools' in (request.json() as object))).toEqual([
      true,
      ...[false, false, false, false],
    ]);
  },
);

const clockDefinition = { type: 'function', name: 'clock', description: '', inputSchema: { type: 'object' } } as const;
const request: ModelRequest = { system: '', messages: [], tools: [clockDefinition], toolChoice: 'auto' };

async function textOf(model: Model, asked = request): Promise<string> {
  let text = '';
  for await (const part of model.stream(asked, { signal: new AbortController().signal }))
    if (part.type === 'text-delta') text += part.text;
  return text;
}

/** A model that fails on requests with tools, as it is told to, perhaps after a word. */
function failing(code: ErrorCode, message: string, word = ''): Model {
  return {
    info: { api: 'scripted', id: 'm' },
    async *stream({ tools }) {
      if (word !== '') yield { type: 'text-delta', text: word };
      if (tools.length > 0) throw new UtensilError(code, message);
      yield { type: 'text-delta', text: 'Hi.' };
      const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
      yield { type: 'finish', reason: 'stop', usage };
    },
  };
}

describe('a fallback to text', () => {
  it('is of the native API until it is refused, and of text from then on', async () => {
    const model = withTextFallback(failing('tools_unsupported', 'No.'));
    expect(model.info).toEqual({ api: 'scripted', id: 'm' });
    expect(await textOf(model)).toBe('Hi.');
    expect(model.info).toEqual({ api: 'text', id: 'm' });
    expect(await textOf(model)).toBe('Hi.');
  });

  it('is not made if the model calls tools', async () => {
    const inner = scriptedModel([{ calls: [{ name: 'clock', input: { zone: 'UTC' } }] }, { text: 'Noon.' }]);
    const { text } = await run({ model: withTextFallback(inner), toolset, messages: 'Go.' }).result;
    expect([text, inner.requests.map(({ tools }) => tools.length)]).toEqual(['Noon.', [1, 1]]);
  });

  it.each<[ErrorCode, string]>([
    ['model_request_invalid', 'm refused the request: tools[0] has no name.'],
    ['model_unauthorized', 'The key does not support tools.'],
    ['model_overloaded', 'm is overloaded.'],
  ])('is not made for another failure: %s', async (code, message) => {
    const model = withTextFallback(failing(code, message));
    await expect(textOf(model)).rejects.toMatchObject({ code, message });
    expect(model.info.api).toBe('scripted');
  });

  it('is not made if there are no tools to call, nor a second time', async () => {
    const broken: Model = {
      info: { api: 'scripted', id: 'm' },
      // oxlint-disable-next-line require-yield -- it never gets so far
      async *stream() {
        throw new UtensilError('model_request_invalid', 'm does not support tools.');
      },
    };
    const model = withTextFallback(broken);
    await expect(textOf(model, { ...request, tools: [] })).rejects.toMatchObject({ code: 'model_request_invalid' });
    expect(model.info.api).toBe('scripted');
    await expect(textOf(model)).rejects.toMatchObject({ code: 'model_request_invalid' });
    await expect(textOf(model)).rejects.toMatchObject({ code: 'model_request_invalid' });
  });

  it('is not made behind what was already told', async () => {
    const model = withTextFallback(failing('tools_unsupported', 'No.', 'Well,'));
    await expect(textOf(model)).rejects.toMatchObject({ code: 'tools_unsupported' });
  });
});

it('tells once in which dialect the model is asked to write', async () => {
  const inner = textModel(['Well.'], {});
  const refusing: Model = {
    info: { api: 'x', id: 'gemma4' },
    stream(request, context) {
      if (request.tools.length > 0) throw new UtensilError('tools_unsupported', 'No tools.');
      return inner.stream(request, context);
    },
  };
  const told: string[] = [];
  const model = withTextFallback(refusing, 'auto', { onFallback: (dialect) => told.push(dialect) });
  const request: ModelRequest = { system: '', messages: [], tools, toolChoice: 'auto' };
  for (let turn = 0; turn < 2; turn++)
    for await (const _ of model.stream(request, { signal: new AbortController().signal }));
  expect(told).toEqual(['gemma']);
});
