import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { InnerResultEntry } from '../../thread/entry.ts';
import { createReplay } from './replay.ts';
import type { Replay } from './replay.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Entries such as `2 save a !`: number of the call, its tool, its input, and that it is an effect. */
const logOf = (...lines: readonly string[]): readonly InnerResultEntry[] =>
  lines.map((line) => {
    const [number = '', name = '', inputHash = '', effect] = line.split(' ');
    const result = { type: 'tool-result', callId: number, name, output: line, modelParts: [], isError: false } as const;
    return {
      type: 'inner-result',
      parentCallId: 'c',
      result,
      inputHash,
      isEffect: effect === '!',
      runId: 'r',
      time: 1,
    };
  });

/** The outputs that calls have got so far. */
function taking(replay: Replay) {
  const got: unknown[] = [];
  function take(line: string): boolean {
    const [callId = '', name = '', inputHash = ''] = line.split(' ');
    const taken = replay.take({ callId, name, inputHash });
    void taken?.then(({ result }) => got.push(result.output));
    return taken !== undefined;
  }
  return { got, take, settled: () => vi.advanceTimersByTimeAsync(0) };
}

it('a result came before another one that the tool had got first', async () => {
  const { got, take, settled } = taking(createReplay(logOf('2 read b', '1 read a')));
  take('1 read a');
  await settled();
  expect(got).toEqual([]);
  take('2 read b');
  await settled();
  expect(got).toEqual(['2 read b', '1 read a']);
});

it('a result waited for good for another one that the tool no longer asks for', async () => {
  const { got, take } = taking(createReplay(logOf('1 read a', '2 read b')));
  take('1 read b');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(got).toEqual(['2 read b']);
});

it('each call of a script looked through all that it had made before', async () => {
  const count = 2_000;
  let looks = 0;
  const log = logOf(...Array.from({ length: count }, (_, index) => `${index} read ${index % 7}`)).map((entry) => ({
    ...entry,
    get inputHash() {
      looks++;
      return entry.inputHash;
    },
  }));
  const { got, take, settled } = taking(createReplay(log));
  for (let index = 0; index < count; index++) take(`${index} read ${index % 7}`);
  await settled();
  expect(got).toHaveLength(count);
  expect(looks).toBeLessThan(5 * count);
});

it('calls of the same input swapped their results, or had one twice', async () => {
  const { got, take, settled } = taking(createReplay(logOf('3 read a', '1 read a')));
  expect(['1 read a', '2 read a', '3 read a'].map(take)).toEqual([true, true, false]);
  await settled();
  expect(got).toEqual(['3 read a', '1 read a']);
  const inOrder = taking(createReplay(logOf('3 read a', '1 read a')));
  expect(['1 read a', '2 read b', '3 read a', '4 save a'].map(inOrder.take)).toEqual([true, false, true, false]);
});

it('lets an effect happen once all logged effects are there, whatever reads are missing', async () => {
  const replay = createReplay(logOf('1 read a', '2 save a !'));
  const { take } = taking(replay);
  let isCaughtUp: boolean | undefined;
  void replay.caughtUp().then((isDone) => (isCaughtUp = isDone));
  await vi.advanceTimersByTimeAsync(1_500);
  expect(isCaughtUp).toBeUndefined();
  take('2 save a');
  await vi.advanceTimersByTimeAsync(10_000);
  expect([isCaughtUp, replay.end(), replay.diverged.aborted]).toEqual([true, true, false]);
});

it('an effect that was not there before happened, though one that was had not come', async () => {
  const replay = createReplay(logOf('1 save a !'));
  const caughtUp = replay.caughtUp();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([await caughtUp, await replay.caughtUp(), replay.diverged.aborted]).toEqual([false, false, true]);
  expect(createReplay(logOf('1 save a !')).end()).toBe(false);
  expect(createReplay(logOf('1 read a')).end()).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
