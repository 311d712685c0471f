import { expect, it } from 'vitest';
import { createQueue } from './queue.ts';

/** Work that ends when it is told to. */
function pending(log: string[], name: string) {
  let finish = (): void => {};
  const promise = new Promise<void>((resolve) => (finish = resolve));
  const work = async (): Promise<string> => {
    log.push(`${name} begins`);
    await promise;
    log.push(`${name} ends`);
    return name;
  };
  return { work, finish: () => finish() };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

it('[S0-26] does work on one path in the order of the calls, and on another at once', async () => {
  const queue = createQueue();
  const log: string[] = [];
  const [first, second, other] = ['first', 'second', 'other'].map((name) => pending(log, name)) as [
    ReturnType<typeof pending>,
    ReturnType<typeof pending>,
    ReturnType<typeof pending>,
  ];
  const results = Promise.all([queue(['/a'], first.work), queue(['/a', '/b'], second.work), queue(['/c'], other.work)]);
  await settle();
  expect(log).toEqual(['first begins', 'other begins']);
  for (const { finish } of [second, other, first]) finish();
  expect(await results).toEqual(['first', 'second', 'other']);
  expect(log).toEqual(['first begins', 'other begins', 'other ends', 'first ends', 'second begins', 'second ends']);
});

it('continues after work that fails, and tells only its own caller', async () => {
  const queue = createQueue();
  const failing = queue(['/a'], () => Promise.reject(new Error('no')));
  const next = queue(['/a'], async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

it('waits for no one in a circle', async () => {
  const queue = createQueue();
  const work = Array.from({ length: 20 }, (_, index) =>
    queue(index % 2 === 0 ? ['/a', '/b'] : ['/b', '/a'], async () => index),
  );
  expect(await Promise.all(work)).toHaveLength(20);
});

it('gives a turn after all earlier work, and later work when it is over', async () => {
  const queue = createQueue();
  const log: string[] = [];
  const [before, after] = ['before', 'after'].map((name) => pending(log, name)) as [
    ReturnType<typeof pending>,
    ReturnType<typeof pending>,
  ];
  const first = queue(['/a'], before.work);
  const taken = queue.turn();
  const second = queue(['/b'], after.work);
  const next = queue.turn();
  void taken.then(() => log.push('turn'));
  void next.then(() => log.push('next turn'));
  await settle();
  expect(log).toEqual(['before begins']);
  before.finish();
  await settle();
  expect(log).toEqual(['before begins', 'before ends', 'turn']);
  (await taken).end();
  await settle();
  expect(log.slice(3)).toEqual(['after begins']);
  after.finish();
  await Promise.all([first, second, next]);
  expect(log.slice(3)).toEqual(['after begins', 'after ends', 'next turn']);
});

it('serves at once what work of a turn asks for before its first await', async () => {
  const queue = createQueue();
  const turn = await queue.turn();
  const result = await turn.call(() =>
    Promise.all([queue(['/a'], async () => 'path'), queue.turn().then(() => 'turn')]),
  );
  expect(result).toEqual(['path', 'turn']);
  expect(turn.isAwaited()).toBe(false);
  const later = queue(['/a'], async () => 'later');
  expect(turn.isAwaited()).toBe(true);
  turn.end();
  expect(await later).toBe('later');
});

it('counts for a turn only those who have come since its work was called', async () => {
  const queue = createQueue();
  const turn = await queue.turn();
  const early = queue.turn();
  await turn.call(async () => {});
  expect(turn.isAwaited()).toBe(false);
  turn.end();
  const next = await early;
  expect([next.isAwaited(), next.isOver()]).toEqual([false, false]);
  next.end();
});
