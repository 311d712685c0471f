import { getEventListeners } from 'node:events';
import type { ModelPart, ModelRequest } from '@utensil/core';
import { type Handler, type Loopback, loopback } from '@utensil/tooling-loopback';
import { describe, expect, it, vi } from 'vitest';
import { listOllamaModels } from './models.ts';
import { type OllamaOptions, ollama } from './ollama.ts';

const request: ModelRequest = {
  system: 'Be brief.',
  messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }], createdAt: 0 }],
  tools: [],
  toolChoice: 'auto',
};
const headers = { 'content-type': 'application/x-ndjson' };
const hello = '{"message":{"role":"assistant","content":"Hello"},"done":false}\n';
const end = '{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}\n';
const greet = { headers, body: hello + end };

const at = ({ url }: Loopback, options: OllamaOptions = {}) => ollama('qwen3', { baseURL: url, ...options });

async function drain(
  model: ReturnType<typeof ollama>,
  signal = new AbortController().signal,
  more: Partial<ModelRequest> = {},
): Promise<string> {
  const parts: ModelPart[] = [];
  for await (const part of model.stream({ ...request, ...more }, { signal })) parts.push(part);
  return parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');
}

async function thrownBy(model: ReturnType<typeof ollama>, signal?: AbortSignal): Promise<Error> {
  return drain(model, signal).then(
    () => expect.unreachable('it did not throw'),
    (error: unknown) => error as Error,
  );
}

const refuse = (status: number, error: unknown, more: Readonly<Record<string, string>> = {}) => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...more },
  body: JSON.stringify({ error }),
});

it('sends the plain body, with the key and the headers it was given', async () => {
  await using server = await loopback(() => greet);
  expect(await drain(at(server, { apiKey: 'secret-key', headers: { 'x-mine': 'yes' } }))).toBe('Hello');
  const [sent] = server.requests;
  expect([sent?.method, sent?.path, sent?.json()]).toEqual([
    'POST',
    '/api/chat',
    {
      model: 'qwen3',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      stream: true,
    },
  ]);
  expect(sent?.headers).toMatchObject({ authorization: 'Bearer secret-key', 'x-mine': 'yes' });
});

it('takes the fetch of the app, and knows what it was told about the model', async () => {
  await using server = await loopback(() => greet);
  const asked: unknown[] = [];
  const model = at(server, {
    contextWindow: 8192,
    fetch: (input, init) => fetch(input, init).finally(() => asked.push(input)),
  });
  await drain(model);
  expect(asked).toEqual([`${server.url}/api/chat`]);
  const free = { input: 0, output: 0 };
  expect(model.info).toMatchObject({ api: 'ollama-chat', id: 'qwen3', contextWindow: 8192, price: free });
  expect(ollama('qwen3').info).toMatchObject({ api: 'ollama-chat', id: 'qwen3', price: free });
  expect(ollama('qwen3', { apiKey: 'of a service' }).info).not.toHaveProperty('price');
});

describe('what the server says that a model can do', () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'aW1n' } as const;
  const messages = [{ id: 'm', role: 'user', parts: [image], createdAt: 0 }] as const;
  const asking =
    (show: object): Handler =>
    ({ path }) =>
      path === '/api/show' ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(show) } : greet;

  it('is asked once, and only where it matters', async () => {
    await using server = await loopback(asking({ capabilities: ['completion'] }));
    const model = at(server);
    await drain(model, undefined, { reasoning: 'none' });
    await drain(model, undefined, { reasoning: 'high' });
    await drain(model, undefined, { messages });
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/chat', '/api/show', '/api/chat', '/api/chat']);
    expect(server.requests[1]?.json()).toEqual({ model: 'qwen3' });
    expect(server.requests[2]?.body).not.toContain('think');
    expect(server.requests[3]?.body).toContain('not shown to this model');
  });

  it('decides what the model is shown', async () => {
    await using server = await loopback(asking({ capabilities: ['completion', 'vision', 'thinking'] }));
    await drain(at(server), undefined, { messages, reasoning: 'high' });
    expect(server.requests[1]?.json()).toMatchObject({ think: true, messages: [{}, { images: ['aW1n'] }] });
  });

  it('does not matter if it does not say', async () => {
    await using server = await loopback((sent) => (sent.path === '/api/show' ? refuse(404, 'no') : greet));
    await drain(at(server), undefined, { messages, reasoning: 'high' });
    expect(server.requests[1]?.json()).toMatchObject({ think: true, messages: [{}, { images: ['aW1n'] }] });
  });
});

describe('errors', () => {
  it.each<[number, string, string, boolean, string]>([
    [
      400,
      'registry.ollama.ai/library/gemma:2b does not support tools',
      'tools_unsupported',
      false,
      'qwen3 takes no tools over Ollama: registry.ollama.ai/library/gemma:2b does not support tools. Take a model that does, or let it call them in text: wrap it in withTextFallback of @utensil/text-dialects.',
    ],
    [400, '"qwen3" does not support thinking', 'model_request_invalid', false, 'Leave `reasoning` out'],
    [400, 'think value "medium" is not supported for this model', 'model_request_invalid', false, 'Leave `reasoning`'],
    [500, 'this model is missing data required for image input', 'model_request_invalid', false, 'sees no images'],
    [
      404,
      'model "qwen3" not found, try pulling it first',
      'model_not_found',
      false,
      'Fetch it with `ollama pull qwen3`',
    ],
    [400, 'the input length exceeds the context length', 'prompt_too_long', false, 'option `contextWindow`'],
    [
      500,
      'model requires more system memory (9.1 GiB) than is available (4.2 GiB)',
      'model_failed',
      false,
      'smaller model',
    ],
    [401, 'unauthorized', 'model_unauthorized', false, 'Check the option `apiKey`'],
    [403, '', 'model_unauthorized', false, 'OLLAMA_ORIGINS'],
    [429, 'slow down', 'model_rate_limited', true, 'slow down. Wait a little and try again.'],
    [
      503,
      'server busy, please try again. maximum pending requests exceeded',
      'model_overloaded',
      true,
      'is overloaded',
    ],
    [500, 'llama runner process has terminated', 'model_failed', true, 'terminated. Try again.'],
    [
      400,
      'invalid options: x',
      'model_request_invalid',
      false,
      'qwen3 refused the request: invalid options: x. Change',
    ],
  ])('explains %i %s', async (status, error, code, retryable, message) => {
    await using server = await loopback(() => refuse(status, error));
    expect(await thrownBy(at(server))).toMatchObject({
      code,
      retryable,
      message: expect.stringContaining(message) as string,
    });
  });

  it('repeats no key in a message or a cause, no whole page, and nothing on a console', async () => {
    const consoles = (['log', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));
    await using server = await loopback((_, index) =>
      index === 0
        ? refuse(401, { message: 'Wrong: my-own-secret' })
        : { status: 500, body: `<p>my-own-secret</p>${'x'.repeat(5000)}` },
    );
    const model = at(server, { apiKey: 'my-own-secret' });
    const [refused, page] = [await thrownBy(model), await thrownBy(model)];
    expect(refused.message).toContain('Wrong: [key].');
    expect(page.message).toContain('<p>[key]</p>xxx');
    expect(page.message.length).toBeLessThan(900);
    expect([refused, page].map((error) => `${error.stack}${String(error.cause)}`).join('')).not.toContain('secret');
    for (const spy of consoles) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it.each<[string, Handler]>([
    ['a web page', () => ({ body: '<html>Sign in</html>', headers: { 'content-type': 'text/html' } })],
    ['nothing', () => ({})],
  ])('says that %s is no answer', async (_, handler) => {
    await using server = await loopback(handler);
    expect(await thrownBy(at(server))).toMatchObject({
      code: 'stream_truncated',
      message: `${server.url} did not send an answer of qwen3. Check the option \`baseURL\`, and any proxy or firewall between here and the server; then try again.`,
    });
  });

  it('asks whether Ollama is running if nobody answers', async () => {
    const server = await loopback(() => ({}));
    await server.close();
    const thrown = await thrownBy(at(server));
    expect(thrown).toMatchObject({ code: 'model_unreachable', retryable: true });
    expect(thrown.message).toMatch(
      /^Nobody answers at http:.*ECONNREFUSED.* Is Ollama running\? Start it with `ollama serve`/,
    );
  });

  it('does not take a mistake of the app for a server that is not running', async () => {
    const fetch = () => Promise.reject(new TypeError("Cannot read properties of undefined (reading 'id')"));
    expect(await thrownBy(ollama('qwen3', { fetch }))).toMatchObject({
      code: 'model_failed',
      retryable: false,
      message: expect.stringContaining("(reading 'id')") as string,
    });
  });

  it('reports an invalid address', async () => {
    expect(await thrownBy(ollama('qwen3', { baseURL: 'http://' }))).toMatchObject({
      code: 'model_failed',
      message: expect.stringContaining('Check the options of the model.') as string,
    });
  });
});

it('asks a busy server once, and the error has the wait that it asks for', async () => {
  await using server = await loopback(() => refuse(503, 'busy', { 'retry-after': '2.5' }));
  expect(await thrownBy(at(server))).toMatchObject({ code: 'model_overloaded', retryable: true, retryAfterMs: 2_500 });
  expect(server.requests).toHaveLength(1);
});

it('sends nothing if it is aborted already', async () => {
  await using server = await loopback(() => greet);
  const thrown = await thrownBy(at(server), AbortSignal.abort());
  expect(thrown).toMatchObject({ code: 'aborted', message: 'The request to qwen3 was aborted.' });
  expect(server.requests).toEqual([]);
});

it.each<[string, Handler]>([
  ['before the first byte', () => new Promise(() => {})],
  ['in the middle of the answer', () => ({ headers, body: hello, end: 'hang' })],
])('stops at once when it is aborted %s, and leaves no socket and no listener', async (_, handler) => {
  await using server = await loopback(handler);
  const controller = new AbortController();
  const thrown = thrownBy(at(server), controller.signal);
  await expect.poll(() => server.requests.length).toBe(1);
  setTimeout(() => controller.abort(new Error('enough')), 20);
  expect(await thrown).toMatchObject({ code: 'aborted', cause: new Error('enough') });
  await expect.poll(() => server.connections()).toBe(0);
  expect([server.requests.length, getEventListeners(controller.signal, 'abort').length]).toEqual([1, 0]);
});

it('closes the connection when nobody listens any more', async () => {
  await using server = await loopback(() => ({ headers, body: hello, end: 'hang' }));
  const { signal } = new AbortController();
  for await (const part of at(server).stream(request, { signal })) if (part.type === 'text-delta') break;
  await expect.poll(() => server.connections()).toBe(0);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('the models of a server', () => {
  const models = [
    { name: 'qwen3:8b', size: 5, details: { family: 'qwen3' } },
    { name: 'nomic-embed-text:latest', size: 1, details: { family: 'nomic-bert' } },
    { name: 'gemma3:4b', size: 3 },
  ];

  it('are listed, without those that do not chat', async () => {
    await using server = await loopback(() => ({ headers, body: JSON.stringify({ models }) }));
    expect(await listOllamaModels({ baseURL: server.url, timeout: 60_000 })).toEqual([
      { id: 'qwen3:8b', size: 5 },
      { id: 'gemma3:4b', size: 3 },
    ]);
    expect(server.requests[0]?.path).toBe('/api/tags');
  });

  it.each<[string, Handler]>([
    ['answers nothing', () => new Promise(() => {})],
    ['is no Ollama', () => ({ body: '<html>' })],
    ['has another form', () => ({ body: '{}' })],
    ['refuses', () => refuse(500, 'no')],
  ])('are undefined where the server %s', async (_, handler) => {
    await using server = await loopback(handler);
    expect(await listOllamaModels({ baseURL: server.url, timeout: 60 })).toBeUndefined();
  });

  it('are undefined if there is no server', async () => {
    const server = await loopback(() => ({}));
    await server.close();
    expect(await listOllamaModels({ baseURL: server.url })).toBeUndefined();
  });
});
