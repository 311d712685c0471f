import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isTooLong, pause, retryDelay } from './retry-wait.ts';

it('is as long as the server asks, and not negative', () => {
  expect([retryDelay(0, 60_000), retryDelay(9, 0), retryDelay(0, -5)]).toEqual([60_000, 0, 0]);
});

it('is too long from a minute on, and never without a wish of the server', () => {
  expect([isTooLong(), isTooLong(60_000), isTooLong(60_001)]).toEqual([false, false, true]);
});

it('is else longer from time to time, and never much', () => {
  fc.assert(
    fc.property(fc.nat({ max: 50 }), (retry) => {
      const most = Math.min(500 * 2 ** retry, 8_000);
      const wait = retryDelay(retry);
      expect(wait).toBeLessThanOrEqual(most);
      expect(wait).toBeGreaterThanOrEqual(most * 0.75);
    }),
  );
});

it('ends with the signal, and does not begin behind it', async () => {
  const controller = new AbortController();
  const waiting = pause(600_000, controller.signal);
  controller.abort('enough');
  await expect(waiting).rejects.toBe('enough');
  await expect(pause(0, controller.signal)).rejects.toBe('enough');
  await expect(pause(0, new AbortController().signal)).resolves.toBeUndefined();
});

it('waits by the timers that it is given, and gives its own back', async () => {
  const due: (() => void)[] = [];
  let given = 0;
  const after = (_ms: number, then: () => void) => (due.push(then), () => void given++);
  const waiting = pause(600_000, new AbortController().signal, after);
  due[0]?.();
  await expect(waiting).resolves.toBeUndefined();
  const controller = new AbortController();
  const ended = pause(600_000, controller.signal, after);
  controller.abort('enough');
  await expect(ended).rejects.toBe('enough');
  expect(given).toBe(1);
});
