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

it('goes on after work that fails, and tells only its own caller', async () => {
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
