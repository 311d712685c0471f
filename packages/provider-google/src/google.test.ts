import { getEventListeners } from 'node:events';
import type { Model, ModelPart, ModelRequest } from '@utensil/core';
import { type Handler, type Loopback, type Reply, cut, loopback } from '@utensil/tooling-loopback';
import { geminiBody, geminiStream, googleFailure, interactionStream } from '@utensil/tooling-loopback/google';
import { GoogleGenAI } from '@google/genai';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type GoogleOptions, google, googleInteractions } from './google.ts';

// Uses the official SDK over HTTP, against a local server. Every stream is written by hand, following the
// documentation.
const apiKey = 'AIza-test-0123456789';
const request: ModelRequest = {
  system: 'Be brief.',
  messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello' }], createdAt: 0 }],
  tools: [{ type: 'function', name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }],
  toolChoice: 'auto',
};
const parameters = { type: 'object', properties: {} };
const said = 'Größe? “ä”, \u{1f9e0}.';

interface Api {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  readonly answer: string;
  make(options: Omit<GoogleOptions, 'newId'>): Model;
}

const apis: readonly Api[] = [
  {
    name: 'google',
    path: '/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
    body: {
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      generationConfig: {},
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools: [{ functionDeclarations: [{ name: 'read', description: 'Reads.', parametersJsonSchema: parameters }] }],
    },
    answer: geminiStream([
      { text: 'Hm.', thought: true },
      { text: said },
      { functionCall: { id: 'c1', name: 'read', args: { path: 'größe/\u{1f4cf}.md' } }, thoughtSignature: 'sig' },
    ]),
    make: (options) => google('gemini-3.8-flash', options),
  },
  {
    name: 'googleInteractions',
    path: '/interactions',
    body: {
      model: 'gemini-3.8-flash',
      input: [{ type: 'user_input', content: [{ type: 'text', text: 'Hello' }] }],
      system_instruction: 'Be brief.',
      tools: [{ type: 'function', name: 'read', description: 'Reads.', parameters }],
      store: false,
      stream: true,
    },
    answer: interactionStream([
      { type: 'thought', summary: [{ type: 'text', text: 'Hm.' }], signature: 'sig' },
      { type: 'model_output', content: [{ type: 'text', text: said }] },
      { type: 'function_call', id: 'c1', name: 'read', arguments: { path: 'größe/\u{1f4cf}.md' } },
    ]),
    make: ({ client: _, ...options }) => googleInteractions('gemini-3.8-flash', options),
  },
];

async function read(
  model: Model,
  signal = new AbortController().signal,
): Promise<{ parts: ModelPart[]; error?: unknown }> {
  const parts: ModelPart[] = [];
  try {
    for await (const part of model.stream(request, { signal })) parts.push(part);
  } catch (error) {
    return { parts, error };
  }
  return { parts };
}

const textIn = (parts: readonly ModelPart[]) =>
  parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe.each(apis)('$name', ({ path, body, answer, make }) => {
  const serve = (handler: Handler) => loopback(handler);
  const at = ({ url }: Loopback, options: Omit<GoogleOptions, 'newId'> = {}) =>
    make({ apiKey, baseUrl: url, ...options });

  it('sends one request unchanged, and streams its answer', async () => {
    await using server = await serve(() => ({ body: answer }));
    const { parts, error } = await read(at(server, { headers: { 'x-team': 'a' } }));
    expect([error, textIn(parts), parts.at(-1)]).toMatchObject([undefined, said, { reason: 'tool-calls' }]);
    const [sent] = server.requests;
    expect(server.requests).toHaveLength(1);
    expect(sent).toMatchObject({ method: 'POST', path: `/v1${path}` });
    expect(sent?.headers).toMatchObject({ 'x-goog-api-key': apiKey, 'x-team': 'a' });
    expect(sent?.json()).toEqual(body);
  });

  it('takes another version of the API, and what only Google has', async () => {
    await using server = await serve(() => ({ body: answer }));
    const model = at(server, { apiVersion: 'v1beta' });
    const providerOptions = { labels: { a: 'b' } };
    for await (const _ of model.stream({ ...request, providerOptions }, { signal: new AbortController().signal }));
    expect(server.requests[0]).toMatchObject({ path: `/v1beta${path}` });
    expect(server.requests[0]?.json()).toMatchObject(providerOptions);
  });

  it('reads the same from any chunks', async () => {
    let chunks: readonly Uint8Array[] = cut(answer, []);
    await using server = await serve(() => ({ body: chunks }));
    const model = at(server);
    const whole = await read(model);
    // An event is an object of its own in either API, so text comes in the same pieces from any chunks.
    const offsets = fc.array(fc.nat({ max: new TextEncoder().encode(answer).length }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(offsets, async (places) => {
        chunks = cut(answer, places);
        expect(await read(model)).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });

  it('takes an answer that is whole, whatever becomes of the connection then', async () => {
    await using server = await serve(() => ({ body: answer, end: 'destroy' }));
    const { parts, error } = await read(at(server));
    expect([error, parts.at(-1)]).toMatchObject([undefined, { type: 'finish', reason: 'tool-calls' }]);
  });

  it('uses its connection again, and leaves no listener on a signal that lives on', async () => {
    await using server = await serve(() => ({ body: answer }));
    const model = at(server);
    const { signal } = new AbortController();
    for (let turn = 0; turn < 10; turn++) expect((await read(model, signal)).error).toBeUndefined();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it('takes your own client', async () => {
    await using server = await serve(() => ({ body: answer }));
    const client = new GoogleGenAI({ apiKey: 'other', httpOptions: { baseUrl: server.url } });
    const models = [google('gemini-3.8-flash', { client }), googleInteractions('gemini-3.8-flash', { client })];
    await Promise.all(models.map((model) => read(model)));
    expect(server.requests.map(({ headers }) => headers['x-goog-api-key'])).toEqual(['other', 'other']);
  });

  it('takes its key from the environment, and says where there is none', async () => {
    await using server = await serve(() => ({ body: answer }));
    for (const name of ['GOOGLE_API_KEY', 'GEMINI_API_KEY']) vi.stubEnv(name, '');
    const model = make({ baseUrl: server.url });
    expect((await read(model)).error).toMatchObject({
      code: 'missing_api_key',
      message: 'There is no API key for gemini-3.8-flash. Set GEMINI_API_KEY or the option `apiKey`.',
    });
    vi.stubEnv('GEMINI_API_KEY', 'from-gemini');
    expect((await read(model)).error).toBeUndefined();
    vi.stubEnv('GOOGLE_API_KEY', 'from-google');
    vi.spyOn(console, 'warn').mockImplementation(() => {}); // the SDK tells that there are two
    expect((await read(make({ baseUrl: server.url }))).error).toBeUndefined();
    expect(server.requests.map(({ headers }) => headers['x-goog-api-key'])).toEqual(['from-gemini', 'from-google']);
  });

  it('reports itself', () => {
    expect(make({ contextWindow: 5 }).info).toMatchObject({ id: 'gemini-3.8-flash', contextWindow: 5 });
  });

  describe('a server that is busy', () => {
    const busy = (retryAfter: number, status = 429) => googleFailure({ status, message: 'Slow down.', retryAfter });

    it('is asked once, and the error has the wait that its body asks for', async () => {
      await using server = await serve(() => busy(2.5, 503));
      expect((await read(at(server))).error).toMatchObject({ code: 'model_overloaded', retryAfterMs: 2_500 });
      expect(server.requests).toHaveLength(1);
    });

    it('has its wait in a header where the body says nothing', async () => {
      const headers = { 'content-type': 'text/html', 'retry-after': '7' };
      await using server = await serve(() => ({ status: 503, headers, body: '<p>Busy.</p>' }));
      const message = expect.stringContaining('Busy.') as string;
      expect((await read(at(server))).error).toMatchObject({ code: 'model_overloaded', message, retryAfterMs: 7_000 });
    });

    it('need not be asked again where the day is used up', async () => {
      const perDay = { violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] };
      const message = 'You exceeded your current quota, please check your plan and billing details.';
      const error = { code: 429, message, status: 'RESOURCE_EXHAUSTED', details: [perDay] };
      await using server = await serve(() => ({ ...busy(1), body: JSON.stringify({ error }) }));
      expect((await read(at(server))).error).toMatchObject({ code: 'model_rate_limited', retryable: false });
    });
  });

  it('gives up on a server that does not answer in time', async () => {
    await using server = await serve(() => new Promise<Reply>(() => {}));
    const { error } = await read(at(server, { timeout: 20 }));
    expect(error).toMatchObject({ code: 'model_unreachable', retryable: true });
  });

  it('says what happened, and what to do', async () => {
    const replies: readonly Reply[] = [
      googleFailure({ status: 400, message: 'API key not valid. Please pass a valid API key.' }),
      googleFailure({ status: 403, message: `The key ${apiKey} may not.` }),
      googleFailure({ status: 400, message: 'Tool use with function calling is unsupported' }),
      googleFailure({ status: 400, isTooLong: true }),
      googleFailure({ status: 504, message: 'Deadline expired.' }),
      googleFailure({ status: 400, message: 'Function calling is not enabled for models/gemma-3-27b-it' }),
    ];
    await using server = await serve((_, index) => replies[index] ?? { end: 'destroy' });
    const model = at(server);
    const told: unknown[] = [];
    for (const _ of replies) {
      const { error } = await read(model);
      told.push([(error as { code: string }).code, (error as Error).message]);
    }
    expect(told).toEqual([
      [
        'model_unauthorized',
        'The API key for gemini-3.8-flash was refused: API key not valid. Please pass a valid API key. Check GEMINI_API_KEY or the option `apiKey`, and its permissions.',
      ],
      [
        'model_unauthorized',
        'This API key may not use gemini-3.8-flash: The key [key] may not. Check the rights of the key, and those of its account.',
      ],
      [
        'model_request_invalid',
        "gemini-3.8-flash takes either Google's own tools or functions: Tool use with function calling is unsupported. Use a model from Gemini 3 on, or only one kind of tools.",
      ],
      [
        'prompt_too_long',
        'The conversation is too long for gemini-3.8-flash: The input token count (1200000) exceeds the maximum number of tokens allowed (1048576). Shorten it, or use a model with a larger context window.',
      ],
      ['model_failed', 'The server of gemini-3.8-flash failed: Deadline expired. Try again.'],
      [
        'tools_unsupported',
        'gemini-3.8-flash takes no tools: Function calling is not enabled for models/gemma-3-27b-it. Take a model that does, or let it call them in text: wrap it in withTextFallback of @utensil/text-dialects.',
      ],
    ]);
  });

  it('takes no answer that is not JSON, and quotes nothing of it', async () => {
    await using server = await serve(() => ({ headers: { 'content-type': 'application/json' }, body: '{oops' }));
    const { error } = await read(at(server));
    expect(error).toMatchObject({ code: 'stream_truncated', message: expect.not.stringMatching(/oops|position/) });
  });

  it('quotes what is refused with status 200', async () => {
    const json = 'application/json; charset=UTF-8';
    const replies: readonly (readonly [type: string, body: string])[] = [
      [json, '{"error":{"code":"permission_denied","message":"Not for you."}}'],
      [json, '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"Slow down."}}'],
      [json, '{"error":{"code":7,"message":"Who knows."}}'],
      [json, '{"candidates":[]}'],
      ['text/html', '<p>Log in.</p>'],
    ];
    await using server = await serve((_, index) => {
      const [type = '', body = ''] = replies[index] ?? [];
      return { headers: { 'content-type': type }, body };
    });
    const model = at(server);
    const told: unknown[] = [];
    for (const _ of replies) told.push((await read(model)).error);
    expect(told).toMatchObject([
      { code: 'model_unauthorized', message: expect.stringContaining('Not for you.') },
      { code: 'model_rate_limited', message: expect.stringContaining('Slow down.') },
      { code: 'model_failed', message: expect.stringContaining('Who knows.') },
      { code: 'stream_truncated' },
      { code: 'stream_truncated' },
    ]);
  });

  it('says what is reported inside an answer, without the key', async () => {
    const error = { code: 429, status: 'resource_exhausted', message: `Slow down, ${apiKey}.` };
    const events = [{ event_type: 'error', error }];
    await using server = await serve(() => ({ body: geminiBody(events) }));
    expect((await read(at(server))).error).toMatchObject({
      code: 'model_rate_limited',
      message: 'gemini-3.8-flash has had too many requests: Slow down, [key]. Wait a little and try again.',
      cause: undefined,
    });
  });

  it('says that there is no server', async () => {
    const server = await serve(() => ({ body: answer }));
    await server.close();
    const { error } = await read(at(server));
    expect(error).toMatchObject({ code: 'model_unreachable', message: expect.stringContaining('ECONNREFUSED') });
  });

  it('does not take a mistake of the app for a missing server', async () => {
    const headers = { 'x-team': '€' }; // no header has such a character, so nothing is ever sent
    const { error } = await read(google('gemini-3.8-flash', { apiKey, headers }));
    expect(error).toMatchObject({ code: 'model_failed', message: expect.stringContaining('ByteString') });
  });
});

describe('an answer of google that is stopped', () => {
  const safety = [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'HIGH', blocked: true }];
  const stop = (finishReason: string, candidate = {}) => geminiStream([{ text: said }], { finishReason, candidate });

  it.each([
    ['MALFORMED_FUNCTION_CALL', stop('MALFORMED_FUNCTION_CALL'), 'error', 'a call that cannot be read'],
    // The SDK drops a `finishMessage` of the Gemini API.
    [
      'UNEXPECTED_TOOL_CALL',
      stop('UNEXPECTED_TOOL_CALL', { finishMessage: 'No tool a.' }),
      'error',
      'although it has none',
    ],
    ['SAFETY', stop('SAFETY', { safetyRatings: safety }), 'content-filter', 'SAFETY (HARM_CATEGORY_HARASSMENT)'],
    ['RECITATION', stop('RECITATION'), 'content-filter', 'RECITATION'],
    // https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerateContentResponse
    ['MODEL_ARMOR', stop('MODEL_ARMOR'), 'content-filter', 'MODEL_ARMOR'],
    [
      'a question that Model Armor blocked',
      geminiBody([{ promptFeedback: { blockReason: 'MODEL_ARMOR', blockReasonMessage: 'Blocked by Floor Setting.' } }]),
      'content-filter',
      'Blocked by Floor Setting.',
    ],
    [
      'a blocked question',
      geminiBody([{ promptFeedback: { blockReason: 'BLOCKLIST' } }]),
      'content-filter',
      'BLOCKLIST',
    ],
  ])('says why over the wire, too: %s', async (_, body, reason, detail) => {
    await using server = await loopback(() => ({ body }));
    const { parts, error } = await read(google('gemini-3.8-flash', { apiKey, baseUrl: server.url }));
    expect([error, parts.at(-1)]).toMatchObject([
      undefined,
      { type: 'finish', reason, detail: expect.stringContaining(detail) },
    ]);
  });

  it('has no word of why at the limit', async () => {
    await using server = await loopback(() => ({ body: stop('MAX_TOKENS') }));
    const { parts } = await read(google('gemini-3.8-flash', { apiKey, baseUrl: server.url }));
    expect(parts.at(-1)).toMatchObject({ reason: 'length' });
    expect(parts.at(-1)).not.toHaveProperty('detail');
  });
});
