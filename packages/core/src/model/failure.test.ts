import { describe, expect, it } from 'vitest';
import { UtensilError } from '../base/errors.ts';
import { abortedError } from './aborted-error.ts';
import { type ModelFailure, failureOf, modelError, modelFailures, saidBy } from './failure.ts';

describe('failureOf', () => {
  it.each([
    [undefined, '', 'model_failed', undefined],
    [400, 'Unknown parameter', 'model_request_invalid', undefined],
    [400, 'prompt is too long: 9 > 8', 'prompt_too_long', undefined],
    [400, 'This exceeds the maximum context of the model', 'prompt_too_long', undefined],
    [401, '', 'model_unauthorized', undefined],
    [402, '', 'model_rate_limited', undefined],
    [403, '', 'model_unauthorized', undefined],
    [404, '', 'model_not_found', undefined],
    [408, '', 'model_overloaded', true],
    [409, '', 'model_failed', true],
    [413, 'Too large', 'prompt_too_long', undefined],
    [418, '', 'model_request_invalid', undefined],
    [429, '', 'model_rate_limited', true],
    [500, 'about the context window', 'model_failed', true],
    [502, '', 'model_failed', true],
    [503, '', 'model_overloaded', true],
    [529, '', 'model_overloaded', true],
  ] as const)('reads %s "%s" as %s', (status, said, code, retryable) => {
    const failure: ModelFailure = failureOf({ status, said });
    expect([failure.code, failure.retryable]).toEqual([code, retryable]);
  });

  it('takes the first exception that fits, by status, words or both', () => {
    const means = (happened: string): ModelFailure => ({ ...modelFailures.invalid, happened });
    const exceptions = [
      { status: 429, says: /per day/, means: means('daily') },
      { says: /per day/, means: means('words') },
      { status: 404, means: means('status') },
    ];
    const happened = (status: number, said: string) => failureOf({ status, said }, exceptions).happened;
    expect(happened(429, 'ten per day')).toBe('daily');
    expect(happened(500, 'ten per day')).toBe('words');
    expect(happened(404, 'gone')).toBe('status');
    expect(happened(429, 'ten')).toBe(modelFailures.rateLimited.happened);
  });
});

describe('modelError', () => {
  const failure: ModelFailure = {
    code: 'model_failed',
    happened: '{model} failed at {address}',
    advice: 'Check {key}, not {other}.',
    retryable: true,
  };

  it('says what happened, in whose words, and what to do', () => {
    const cause = new Error('the cause');
    const words = { address: 'home', key: 'KEY' };
    expect(modelError(failure, { modelId: 'm', said: ' It\n is late ', cause, words })).toMatchObject({
      code: 'model_failed',
      retryable: true,
      cause,
      message: 'm failed at home: It is late. Check KEY, not {other}.',
    });
    expect(modelError(failure, { modelId: 'm' }).message).toBe('m failed at {address}. Check {key}, not {other}.');
  });

  it('shows no key, wherever one stands, and no whole page', () => {
    const apiKey = 'secret-key-1';
    const said = `no ${apiKey} ${'x'.repeat(5_000)}`;
    const words = { address: `http://me:pass@host/${apiKey}` };
    const error = modelError(failure, { modelId: 'm', said, cause: new Error(said), apiKey, words });
    expect(error.cause).toBeUndefined();
    expect(error.message).not.toMatch(/secret|pass/);
    expect(error.message.length).toBeLessThan(750);
  });
});

it('reports an abort by its reason', () => {
  expect(abortedError('m', { reason: 'enough' })).toEqual(
    new UtensilError('aborted', 'The request to m was aborted.', { cause: 'enough' }),
  );
});

it('says what was thrown and why, and ends where a cause is its own', () => {
  const inner = new Error('refused');
  expect(saidBy(new Error('failed', { cause: new Error('between', { cause: inner }) }))).toBe('failed (refused)');
  expect(saidBy(new Error('failed'))).toBe('failed');
  expect(saidBy('text')).toBe('text');
  const loop = new Error('round');
  loop.cause = loop;
  expect(saidBy(loop)).toBe('round');
});
