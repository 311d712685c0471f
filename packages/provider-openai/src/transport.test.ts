import { getEventListeners } from 'node:events';
import process from 'node:process';
import type { Model, ModelPart, ModelRequest } from '@utensil/core';
import { type Handler, type Loopback, loopback, sse } from '@utensil/tooling-loopback';
import { OpenAI } from 'openai';
import { describe, expect, it } from 'vitest';
import { type OpenAIOptions, openai, openaiChat } from './openai.ts';

const request: ModelRequest = {
  system: 'Be brief.',
  messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }], createdAt: 0 }],
  tools: [],
  toolChoice: 'auto',
};

interface Api {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  readonly hello: string;
  make(options: OpenAIOptions): Model;
}

const apis: readonly Api[] = [
  {
    name: 'openai',
    path: '/responses',
    body: {
      model: 'gpt-5.6',
      instructions: 'Be brief.',
      input: [{ role: 'user', content: 'Hi' }],
      store: false,
      include: ['reasoning.encrypted_content'],
      stream: true,
    },
    hello: sse([
      {
        event: 'response.output_text.delta',
        data: { type: 'response.output_text.delta', output_index: 0, delta: 'Hello' },
      },
      { event: 'response.completed', data: { type: 'response.completed', response: { output: [] } } },
    ]),
    make: ({ client: _, ...options }) => openai('gpt-5.6', options),
  },
  {
    name: 'openaiChat',
    path: '/chat/completions',
    body: {
      model: 'gpt-5.6',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      stream_options: { include_usage: true },
      stream: true,
    },
    hello: sse([
      { data: { choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }] } },
      { data: '[DONE]' },
    ]),
    make: ({ client: _, ...options }) => openaiChat('gpt-5.6', options),
  },
];

async function drain(
  model: Model,
  signal = new AbortController().signal,
  more: Partial<ModelRequest> = {},
): Promise<readonly ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of model.stream({ ...request, ...more }, { signal })) parts.push(part);
  return parts;
}

async function thrownBy(model: Model, signal?: AbortSignal): Promise<Error> {
  return drain(model, signal).then(
    () => expect.unreachable('it did not throw'),
    (error: unknown) => error as Error,
  );
}

const textOf = (parts: readonly ModelPart[]) =>
  parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');
const json = (status: number, error: unknown, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ error }),
});

const failures: readonly (readonly [number, object, string, boolean, string])[] = [
  [
    401,
    { message: 'Incorrect API key provided: sk-sec**ret. Go to the site.', code: 'invalid_api_key' },
    'model_unauthorized',
    false,
    'The API key for gpt-5.6 was refused: Incorrect API key provided: [key] Go to the site. Check OPENAI_API_KEY or the option `apiKey`',
  ],
  [403, { message: 'Not for you' }, 'model_unauthorized', false, 'This API key may not use gpt-5.6: Not for you.'],
  [404, { message: 'No such model.', code: 'model_not_found' }, 'model_not_found', false, 'Check the model id'],
  [
    400,
    { message: "Unknown parameter: 'x'." },
    'model_request_invalid',
    false,
    "refused the request: Unknown parameter: 'x'.",
  ],
  [400, { message: 'Too long', code: 'context_length_exceeded' }, 'prompt_too_long', false, 'larger context window'],
  [
    400,
    { message: "This model's maximum context length is 8192 tokens." },
    'prompt_too_long',
    false,
    '8192 tokens. Shorten it',
  ],
  [
    400,
    { message: 'Encrypted content is not supported with this model.' },
    'model_request_invalid',
    false,
    'include: []',
  ],
  [
    400,
    {
      message:
        "Function tools with reasoning_effort are not supported for gpt-5.6. Use /v1/responses or set reasoning_effort to 'none'.",
    },
    'model_request_invalid',
    false,
    "Use openai('gpt-5.6') instead of openaiChat('gpt-5.6'), or set reasoning to 'none'.",
  ],
  [429, { message: 'Slow down' }, 'model_rate_limited', true, 'Slow down. Wait a little and try again.'],
  [429, { message: 'No money', code: 'insufficient_quota' }, 'model_rate_limited', false, 'Waiting does not help'],
  [500, { message: 'Oops' }, 'model_failed', true, 'The server of gpt-5.6 failed: Oops. Try again.'],
  [503, { message: 'Busy', type: 'server_error' }, 'model_overloaded', true, 'gpt-5.6 is overloaded: Busy.'],
  [402, { message: 'Pay' }, 'model_rate_limited', false, 'The quota of this API key is used up: Pay.'],
  [413, { message: 'Too large' }, 'prompt_too_long', false, 'The conversation is too long for gpt-5.6: Too large.'],
  [529, { message: 'Busy' }, 'model_overloaded', true, 'gpt-5.6 is overloaded: Busy.'],
  [418, { message: 'Teapot' }, 'model_request_invalid', false, 'Teapot'],
];

describe.each(apis)('$name', ({ name, path, body, hello, make }) => {
  const serve = (handler: Handler) => loopback(handler);
  const at = ({ url }: Loopback, options: OpenAIOptions = {}) =>
    make({ apiKey: 'sk-secret', baseURL: url, ...options });

  it('sends the plain body, with the key and the headers it was given', async () => {
    await using server = await serve(() => ({ body: hello }));
    const options = { organization: 'org-1', defaultHeaders: { 'x-mine': 'yes' } };
    expect(textOf(await drain(at(server, options)))).toBe('Hello');
    const [sent] = server.requests;
    expect([sent?.method, sent?.path, sent?.body]).toEqual(['POST', path, JSON.stringify(body)]);
    expect(sent?.headers).toMatchObject({
      authorization: 'Bearer sk-secret',
      'openai-organization': 'org-1',
      'x-mine': 'yes',
    });
  });

  it('takes a client and a fetch of the app', async () => {
    await using server = await serve(() => ({ body: hello }));
    const client = new OpenAI({ apiKey: 'other', baseURL: server.url });
    const model = name === 'openai' ? openai('gpt-5.6', { client }) : openaiChat('gpt-5.6', { client });
    expect(textOf(await drain(model))).toBe('Hello');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer other');
    const asked: unknown[] = [];
    const fetched = at(server, { fetch: (input, init) => fetch(input, init).finally(() => asked.push(input)) });
    await drain(fetched);
    expect(asked).toEqual([`${server.url}${path}`]);
  });

  it('says which key is missing, and takes it when it is there', async () => {
    const key = process.env['OPENAI_API_KEY'];
    delete process.env['OPENAI_API_KEY'];
    await using server = await serve(() => ({ body: hello }));
    const model = make({ baseURL: server.url });
    try {
      expect(await thrownBy(model)).toMatchObject({
        code: 'missing_api_key',
        message: 'There is no API key for gpt-5.6. Set OPENAI_API_KEY or the option `apiKey`.',
      });
      process.env['OPENAI_API_KEY'] = 'sk-from-environment';
      expect(textOf(await drain(model))).toBe('Hello');
    } finally {
      delete process.env['OPENAI_API_KEY'];
      if (key !== undefined) process.env['OPENAI_API_KEY'] = key;
    }
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-from-environment']);
  });

  it.each(failures)('explains %i %j', async (status, error, code, retryable, message) => {
    await using server = await serve(() => json(status, error));
    const thrown = await thrownBy(at(server));
    expect(thrown).toMatchObject({ code, retryable, message: expect.stringContaining(message) as string });
    expect(thrown.message).not.toContain('sk-');
  });

  it.each([
    [{ message: 'The upstream has failed', code: 404 }, 'model_not_found'],
    [{ message: 'The upstream has failed', code: 'rate_limit_exceeded' }, 'model_rate_limited'],
    [{ message: 'The upstream has failed' }, 'model_failed'],
  ])('explains a refusal with status 200: %j', async (error, code) => {
    await using server = await serve(() => json(200, error));
    const message = expect.stringContaining('The upstream has failed') as string;
    expect(await thrownBy(at(server))).toMatchObject({ code, message });
  });

  it('repeats no key that a server quotes, and no whole page', async () => {
    await using server = await serve(() => ({ status: 500, body: `<p>my-own-key</p>${'x'.repeat(5000)}` }));
    const { message } = await thrownBy(at(server, { apiKey: 'my-own-key' }));
    expect(message).toContain('<p>[key]</p>xxx');
    expect(message.length).toBeLessThan(800);
  });

  it.each(['my-own-secret', 'sk-other-secret'])('repeats no key in a message or a cause: %s', async (apiKey) => {
    await using server = await serve(() => json(401, { message: `Wrong: ${apiKey}`, code: 'constructor' }));
    const thrown = await thrownBy(at(server, { apiKey: 'my-own-secret' }));
    expect(thrown).toMatchObject({ code: 'model_unauthorized', cause: undefined });
    expect(`${thrown.message}${thrown.stack}`).not.toContain('secret');
    const withPassword = at(server, { baseURL: server.url.replace('://', '://me:secret@') });
    const refused = await thrownBy(withPassword);
    expect(refused).toMatchObject({ code: 'model_unreachable', cause: undefined });
    expect(refused.message).toContain('://[key]@127.0.0.1');
    expect(refused.message).not.toContain('secret');
  });

  it.each<[string, Handler]>([
    ['a web page', () => ({ body: '<html>Sign in</html>', headers: { 'content-type': 'text/html' } })],
    [
      'a way to one',
      ({ path: asked }) => (asked === '/login' ? { body: '<html>' } : { status: 302, headers: { location: '/login' } }),
    ],
    ['nothing', () => ({})],
    ['something else', () => ({ body: '{"object":"list"}', headers: { 'content-type': 'application/json' } })],
  ])('says that %s is no answer', async (_, handler) => {
    await using server = await serve(handler);
    expect(await thrownBy(at(server))).toMatchObject({
      code: 'stream_truncated',
      message:
        'The server sent no answer of gpt-5.6. Check the option `baseURL`, and any proxy or firewall between here and the server; then try again.',
    });
  });

  it('is content where only the connection breaks behind the end', async () => {
    await using server = await serve(() => ({ body: [hello.replace('data: [DONE]\n\n', '')], end: 'destroy' }));
    expect((await drain(at(server))).map(({ type }) => type)).toEqual(['text-delta', 'finish']);
  });

  it('carries two streams at once, and leaves no listener on a signal that lives on', async () => {
    await using server = await serve((sent) => ({
      body: hello.replace('Hello', sent.body.includes('One') ? '1' : '2'),
    }));
    const model = at(server);
    const { signal } = new AbortController();
    const ask = (system: string) => drain(model, signal, { system });
    const answers = await Promise.all([ask('One'), ask('Two'), ask('One')]);
    expect(answers.map(textOf)).toEqual(['1', '2', '1']);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('tells what a client of the app throws at once', async () => {
    const create = () => {
      throw new Error('Not today!');
    };
    const client = { responses: { create }, chat: { completions: { create } } };
    const model = name === 'openai' ? openai('gpt-5.6', { client }) : openaiChat('gpt-5.6', { client });
    const thrown = await thrownBy(model);
    expect(thrown).toMatchObject({ code: 'model_failed', cause: new Error('Not today!') });
    expect(thrown.message).toBe('gpt-5.6 failed: Not today! Try again; if it stays, change the request.');
  });

  it.each([undefined, null, '', 0])('does not take %j in the stream of a client of the app for an end', async (odd) => {
    const item = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Half' }] };
    async function* events() {
      yield name === 'openai'
        ? { type: 'response.output_item.done', output_index: 0, item }
        : { choices: [{ index: 0, delta: { content: 'Half' } }] };
      yield odd;
    }
    const create = async () => events();
    const client = { responses: { create }, chat: { completions: { create } } } as never;
    const model = name === 'openai' ? openai('gpt-5.6', { client }) : openaiChat('gpt-5.6', { client });
    expect(await thrownBy(model)).toMatchObject({ code: 'stream_truncated' });
  });

  it.each([
    ['in seconds', { 'retry-after': '3600' }, 3_600_000],
    ['in milliseconds', { 'retry-after-ms': '1' }, 1],
    ['not at all', {}, undefined],
  ])('asks a busy server once, and the error has the wait that it asks for %s', async (_, headers, retryAfterMs) => {
    await using server = await serve(() => json(429, { message: 'Slow down' }, { ...headers }));
    expect(await thrownBy(at(server))).toMatchObject({ code: 'model_rate_limited', retryable: true, retryAfterMs });
    expect(server.requests).toHaveLength(1);
  });

  it('asks once by your own client, too, however often that would ask', async () => {
    await using server = await serve(() => json(503, { message: 'Busy' }, { 'retry-after-ms': '1' }));
    const client = new OpenAI({ apiKey: 'k', baseURL: server.url, maxRetries: 5 });
    const model = name === 'openai' ? openai('gpt-5.6', { client }) : openaiChat('gpt-5.6', { client });
    expect(await thrownBy(model)).toMatchObject({ code: 'model_overloaded' });
    expect(server.requests).toHaveLength(1);
  });

  it('says that a server cannot be reached', async () => {
    const server = await serve(() => ({}));
    await server.close();
    const thrown = await thrownBy(at(server));
    expect(thrown).toMatchObject({ code: 'model_unreachable', retryable: true });
    expect(thrown.message).toMatch(/^The server of gpt-5\.6 could not be reached: .*ECONNREFUSED.* Check the network/);
  });

  it('takes a broken event for a broken stream', async () => {
    await using server = await serve(() => ({ body: 'data: {"type": nonsense}\n\n' }));
    expect(await thrownBy(at(server))).toMatchObject({ code: 'stream_truncated', retryable: true });
  });

  it('sends nothing if it is aborted already', async () => {
    await using server = await serve(() => ({ body: hello }));
    const thrown = await thrownBy(at(server), AbortSignal.abort());
    expect(thrown).toMatchObject({ code: 'aborted', message: 'The request to gpt-5.6 was aborted.' });
    expect(server.requests).toEqual([]);
  });

  it.each<[string, Handler]>([
    ['before the first byte', () => new Promise(() => {})],
    ['in the middle of the answer', () => ({ body: hello.slice(0, hello.indexOf('\n\n') + 2), end: 'hang' })],
  ])('stops at once when it is aborted %s, and leaves no socket open', async (_, handler) => {
    await using server = await serve(handler);
    const controller = new AbortController();
    const thrown = thrownBy(at(server), controller.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    setTimeout(() => controller.abort(new Error('enough')), 20);
    expect(await thrown).toMatchObject({ code: 'aborted', retryable: false });
    await expect.poll(() => server.connections()).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  it('closes the connection when nobody listens any more', async () => {
    await using server = await serve(() => ({ body: hello.slice(0, hello.indexOf('\n\n') + 2), end: 'hang' }));
    const stream = at(server).stream(request, { signal: new AbortController().signal });
    for await (const part of stream) if (part.type === 'text-delta') break;
    await expect.poll(() => server.connections()).toBe(0);
  });
});

it('knows what it was told about the model', () => {
  expect(openai('gpt-5.6', { contextWindow: 400_000 }).info).toMatchObject({
    api: 'openai-responses',
    id: 'gpt-5.6',
    contextWindow: 400_000,
    supports: { deferredTools: true },
  });
  expect(openaiChat('gpt-4.1').info).toMatchObject({ api: 'openai-chat', id: 'gpt-4.1' });
});

it.each([
  ['one of its own', true],
  ["the caller's", false],
])('a client that is %s gets the body as a text: %s', async (_, isOwn) => {
  const seen: unknown[] = [];
  const { create } = OpenAI.Responses.prototype;
  const spy: typeof create = function spy(this: unknown, body: never, options?: never) {
    const { body: text, headers } = (options ?? {}) as { readonly body?: string; readonly headers?: object };
    seen.push([typeof body, text === undefined ? undefined : (JSON.parse(text) as object), headers]);
    return Reflect.apply(create, this, [body, options]) as never;
  };
  OpenAI.Responses.prototype.create = spy;
  try {
    await using server = await loopback(() => ({ body: apis[0]?.hello ?? '' }));
    const options = { apiKey: 'k', baseURL: server.url };
    const model = openai('gpt-5.6', isOwn ? options : { client: new OpenAI(options) });
    const parts: ModelPart[] = [];
    for await (const part of model.stream(request, { signal: new AbortController().signal })) parts.push(part);
    expect(parts.at(-1)).toMatchObject({ type: 'finish' });
  } finally {
    OpenAI.Responses.prototype.create = create;
  }
  const text = isOwn ? [apis[0]?.body, { 'content-type': 'application/json' }] : [undefined, undefined];
  expect(seen).toEqual([['object', ...text]]);
});
