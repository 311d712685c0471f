import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageOf } from '../../base/errors.ts';
import { retryAfter } from './retry-after.ts';
import { withRetries, retryDelay } from './retries.ts';

const { signal } = new AbortController();

/** Fails so often, and counts how often it was asked. */
function failing(times: number) {
  const server = {
    asked: 0,
    ask: () => {
      const error = new Error(`failure ${++server.asked}`);
      return server.asked > times ? Promise.resolve('answer') : Promise.reject(error);
    },
  };
  return server;
}

describe('withRetries', () => {
  it('asks again as often as it may, and throws what was thrown last', async () => {
    for (const [maxRetries, times, expected] of [
      [0, 0, ['answer', 1]],
      [2, 2, ['answer', 3]],
      [2, 3, ['failure 3', 3]],
      [0, 1, ['failure 1', 1]],
    ] as const) {
      const server = failing(times);
      const answer = withRetries(server.ask, { maxRetries, signal, wait: () => 0 }).catch(messageOf);
      expect([await answer, server.asked]).toEqual(expected);
    }
  });

  it('does not ask again what is not to be asked again', async () => {
    const server = failing(1);
    await expect(withRetries(server.ask, { maxRetries: 9, signal, wait: () => undefined })).rejects.toThrow(
      'failure 1',
    );
    expect(server.asked).toBe(1);
  });

  it('ends a wait with the signal, and begins none behind it', async () => {
    const controller = new AbortController();
    const server = failing(9);
    const wait = () => {
      queueMicrotask(() => controller.abort('enough'));
      return 600_000;
    };
    await expect(withRetries(server.ask, { maxRetries: 9, signal: controller.signal, wait })).rejects.toBe('enough');
    await expect(withRetries(server.ask, { maxRetries: 9, signal: controller.signal, wait })).rejects.toThrow(
      'failure 2',
    );
  });
});

describe('a wait', () => {
  it.each([
    [{}, undefined],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': '2', 'retry-after-ms': '150' }, 150],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after-ms': 'soon', 'retry-after': '1' }, 1_000],
  ])('is read from the headers %o', (headers: object, expected) => {
    expect(retryAfter(new Headers({ ...headers }))).toBe(expected);
  });

  it('may be a date', () => {
    const at = (time: number) => retryAfter(new Headers({ 'retry-after': new Date(time).toUTCString() })) ?? Number.NaN;
    expect(at(Date.now() + 3_600_000)).toBeGreaterThan(3_000_000);
    expect(retryDelay(0, at(Date.now() - 3_600_000))).toBe(0);
  });

  it('is as long as the server asks, and no wait at all if that is too long', () => {
    expect([retryDelay(0, 60_000), retryDelay(0, 60_001)]).toEqual([60_000, undefined]);
  });

  it('is else longer from time to time, and never much', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2_000 }), (retry) => {
        const most = Math.min(500 * 2 ** retry, 8_000);
        const wait = retryDelay(retry) ?? Number.NaN;
        expect(wait).toBeLessThanOrEqual(most);
        expect(wait).toBeGreaterThanOrEqual(most * 0.75);
      }),
    );
  });
});
