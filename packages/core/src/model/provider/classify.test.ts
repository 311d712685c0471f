import { describe, expect, it } from 'vitest';
import { fetchErrorClassifier } from './classify.ts';
import type { MisreadResponses } from './misread-response.ts';
import { surfaceErrors } from './surface-errors.ts';
import { responseError } from './response-error.ts';
import { reportedError } from './report.ts';
import { modelFailures } from '../failure.ts';

const json = (body: unknown, status = 200, headers: object = {}) =>
  Response.json(body, { status, headers: { ...headers } });

describe('fetchErrorClassifier', () => {
  const classifyError = fetchErrorClassifier([{ status: 418, means: modelFailures.overloaded }]);

  it.each([
    [json({ error: 'No such model' }, 404), modelFailures.notFound, 'No such model'],
    [json({ error: { message: 'Too many' } }, 429), modelFailures.rateLimited, 'Too many'],
    [new Response('<h1>Gone</h1>', { status: 502 }), modelFailures.serverFailed, '<h1>Gone</h1>'],
    [new Response('', { status: 401 }), modelFailures.unauthorized, 'status 401'],
    [json({ error: null }, 418), modelFailures.overloaded, '{"error":null}'],
  ])('reads a refusal: %#', async (response, failure, said) => {
    expect(classifyError(await responseError(response), 'asking')).toMatchObject({ failure, said });
  });

  it('reads what is reported inside a stream, with a status or without', () => {
    const classOf = (status: number | undefined) =>
      classifyError(reportedError({ status, said: 'Oh no' }), 'answering');
    expect(classOf(529)).toMatchObject({ failure: modelFailures.overloaded, said: 'Oh no' });
    expect(classOf(undefined)).toMatchObject({ failure: modelFailures.failed, said: 'Oh no' });
  });

  it('tells a connection that fails from code that does', () => {
    const refused = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    expect(classifyError(refused, 'asking')).toEqual({
      failure: modelFailures.unreachable,
      said: 'fetch failed (connect ECONNREFUSED)',
    });
    const bug = new TypeError("Cannot read properties of undefined (reading 'id')");
    expect(classifyError(bug, 'asking').failure).toBe(modelFailures.failed);
    expect(classifyError(refused, 'connecting').failure).toBe(modelFailures.failed);
    expect(classifyError(refused, 'answering').failure).toBe(modelFailures.brokenOff);
    expect(classifyError('odd', 'asking').failure).toBe(modelFailures.failed);
  });

  it('says for how long the server asks to wait', async () => {
    const wait = async (response: Response) => classifyError(await responseError(response), 'asking').retryAfterMs;
    expect(await wait(json({}, 429, { 'retry-after': '3' }))).toBe(3_000);
    expect(await wait(json({}, 503))).toBeUndefined();
  });
});

describe('a response that an SDK would misread', () => {
  const statusOf = (error: unknown) => (error === 'busy' ? 529 : undefined);
  const shown = (response: Response, more: Partial<MisreadResponses> = {}) =>
    surfaceErrors(
      () => Promise.resolve(response),
      () => Promise.resolve({ statusOf, ...more }),
    )('http://127.0.0.1/');

  it('has the status of the error that came with 200, and the same body', async () => {
    for (const [error, status] of [
      ['busy', 529],
      ['other', 502],
    ] as const) {
      const response = await shown(json({ error }));
      expect([response.status, await response.json()]).toEqual([status, { error }]);
    }
    expect((await shown(json({ answer: 1 }))).status).toBe(200);
  });

  it('keeps its wait, if the SDK drops the headers of errors', async () => {
    const keepWait: MisreadResponses['keepWait'] = ({ status, body, wait }) =>
      Response.json({ body, wait }, { status });
    const response = await shown(json({ error: 'later' }, 429, { 'retry-after': '5' }), { keepWait });
    expect([response.status, await response.json()]).toEqual([429, { body: '{"error":"later"}', wait: 5_000 }]);
  });

  it('is the only one that is touched', async () => {
    for (const response of [
      new Response('data: {}', { headers: { 'content-type': 'text/event-stream' } }),
      json({}, 500),
      json({}, 429, { 'retry-after': '5' }),
    ]) {
      expect(await shown(response)).toBe(response);
    }
  });
});
