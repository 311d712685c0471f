// Whole runs through our providers and the official SDKs, against a server that others wrote from the same
// documentation. It differs from the vendors' servers:
// - it serves Gemini's APIs as `v1beta` only, and lacks Ollama's `/api/show`;
// - it counts tokens for Chat Completions alone; elsewhere the counts are those of a fixture, and over Ollama's API always 0;
// - it sends no reasoning over Ollama's API or Gemini's Interactions API;
// - it accepts malformed requests, so our requests are checked elsewhere, with the vendors' own schemas.

import type { ChatCompletionRequest } from '@copilotkit/aimock';
import { describe, expect, it } from 'vitest';
import { models } from './models.ts';
import { foreignServer, requestsOf } from './server.ts';
import { answer, askWeather, cities, forecastOf, question, remark, tellWeather } from './weather.ts';
import { watchedFetch } from './watched-fetch.ts';

it('listens on the loopback interface alone', async () => {
  await using server = await foreignServer();
  expect(new URL(server.url).hostname).toBe('127.0.0.1');
});

const thoughtless: ReadonlySet<string> = new Set(['googleInteractions', 'ollama']);
const countless: ReadonlySet<string> = new Set(['ollama']);

describe.each(models)('$name', ({ name, make }) => {
  it('runs calls that were made at once, and brings their results back', async () => {
    await using server = await foreignServer();
    tellWeather(server.mock);
    const { result, asked } = askWeather(make(server));
    const { status, text, messages, error } = await result;
    expect({ status, text, error }).toEqual({ status: 'complete', text: answer, error: undefined });
    expect(asked.toSorted()).toEqual(cities);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
    const [first, second] = requestsOf(server.mock);
    expect(first?.tools?.map((tool) => tool.function.name)).toEqual(['forecast']);
    expect(resultsIn(second)).toEqual(forecasts);
  });

  it('tells thoughts and tokens', async () => {
    await using server = await foreignServer();
    const counts = { prompt_tokens: 7, completion_tokens: 3, input_tokens: 7, output_tokens: 3 };
    const usage = { ...counts, promptTokenCount: 7, candidatesTokenCount: 3, total_tokens: 10, totalTokenCount: 10 };
    server.mock.onMessage(question, { content: answer, reasoning: 'They ask for the weather.', usage });
    const { messages, usage: told, text } = await askWeather(make(server), { reasoning: 'high' }).result;
    expect(text).toBe(answer);
    expect(messages.at(-1)?.parts.map(({ type }) => type)).toEqual(
      thoughtless.has(name) ? ['text'] : ['reasoning', 'text'],
    );
    const counted = countless.has(name) ? { inputTokens: 0, outputTokens: 0 } : { inputTokens: 7, outputTokens: 3 };
    expect(told).toMatchObject(counted);
  });

  it('shows text while the answer is still being written', async () => {
    await using server = await foreignServer();
    server.mock.onMessage(question, { content: answer }, { latency: 10 });
    const { fetch, received } = watchedFetch();
    const { events, result } = askWeather(make({ ...server, fetch }));
    const atDeltas: number[] = [];
    for await (const { type } of events()) if (type === 'text-delta') atDeltas.push(received());
    expect(atDeltas[0]).toBeLessThan(received());
    expect(new Set(atDeltas).size).toBeGreaterThan(5);
    expect(await result).toMatchObject({ status: 'complete', text: answer });
  });

  it('keeps the part received before the connection broke, and resumes from there', async () => {
    await using server = await foreignServer();
    tellWeather(server.mock, { latency: 5, truncateAfterChunks: 10 });
    const broken = await askWeather(make(server)).result;
    expect(broken).toMatchObject({ status: 'error', error: { code: 'stream_truncated' } });
    expect(broken.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
    expect(broken.messages.at(-1)?.incomplete).toBe(true);
    expect(broken.text).not.toBe('');
    expect(answer.startsWith(broken.text)).toBe(true);

    server.mock.clearFixtures().onMessage('Go on.', { content: 'So it is.' });
    const more = { role: 'user', parts: [{ type: 'text', text: 'Go on.' }] } as const;
    const mended = await askWeather(make(server), { messages: [...broken.messages, more] }).result;
    expect(mended).toMatchObject({ status: 'complete', text: 'So it is.' });
    expect(resultsIn(requestsOf(server.mock).at(-1))).toEqual(forecasts);
  });

  it('asks again if the server was busy, and loses nothing', async () => {
    await using server = await foreignServer();
    tellWeather(server.mock);
    server.mock.nextRequestError(503, { message: 'Busy.' });
    const { result, asked } = askWeather(make(server), { limits: { retries: 1 } });
    expect(await result).toMatchObject({ status: 'complete', text: answer, steps: 2 });
    expect(asked.toSorted()).toEqual(cities);
    expect(server.mock.getRequests().map(({ response }) => response.status)).toEqual([503, 200, 200]);
  });

  it.each([
    ['is dropped with a 500', { dropRate: 1 }, 'model_failed'],
    ['is answered with a 429', { rateLimitRate: 1 }, 'model_rate_limited'],
    ['is answered with what is no JSON', { malformedRate: 1 }, 'stream_truncated'],
    ['loses its connection', { disconnectRate: 1 }, 'model_unreachable'],
  ] as const)('ends with a named error where a request %s', async (_, chaos, code) => {
    await using server = await foreignServer();
    tellWeather(server.mock);
    const { result } = askWeather(make(server));
    server.mock.setChaos(chaos);
    const { status, error, messages } = await result;
    expect({ status, code: error?.code }).toEqual({ status: 'error', code });
    expect(messages.map(({ role }) => role)).toEqual(['user']);
  });

  it('keeps the calls and their results if the next request fails', async () => {
    await using server = await foreignServer();
    tellWeather(server.mock, { chaos: { dropRate: 1 } });
    const { status, error, messages, text } = await askWeather(make(server)).result;
    expect({ status, code: error?.code, text }).toEqual({ status: 'error', code: 'model_failed', text: remark });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
  });

  it('ends when it is aborted, though the server does not answer', async () => {
    await using server = await foreignServer();
    tellWeather(server.mock);
    server.mock.setChaos({ latencyMs: 30_000 });
    const { fetch, asked } = watchedFetch();
    const { abort, result } = askWeather(make({ ...server, fetch }));
    await asked;
    abort();
    expect(await result).toMatchObject({ status: 'aborted' });
  });
});

/** Texts of the results of both calls, in the order of the calls; Gemini's are in an object. */
const forecasts = cities.map((city) => expect.stringContaining(forecastOf(city)) as unknown);

function resultsIn(request: ChatCompletionRequest | undefined) {
  return request?.messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
}
