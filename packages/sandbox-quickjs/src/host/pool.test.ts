import { expect, it } from 'vitest';
import { createPool } from './pool.ts';
import { createHearing } from './thread.ts';
import type { Thread, ThreadListener } from './thread.ts';

interface Started extends Thread {
  readonly number: number;
  isOver: boolean;
}

/** A pool of threads that do nothing but load. */
async function setup(options: {
  readonly most: number;
  readonly mostWaiting?: number;
  readonly isBroken?: boolean;
  readonly late?: (() => void)[];
  readonly standbyMs?: number;
}) {
  const started: Started[] = [];
  const spawn = (): Thread => {
    let listener: ThreadListener | undefined;
    const thread: Started = {
      number: started.length,
      isOver: false,
      post() {
        const ready = (): void => listener?.message({ type: 'ready' });
        if (options.late) options.late.push(ready);
        else queueMicrotask(() => (options.isBroken === true ? listener?.died('no') : ready()));
      },
      listen: (next) => (listener = next),
      hold: () => undefined,
      terminate: () => (thread.isOver = true),
    };
    started.push(thread);
    return thread;
  };
  const module = await WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  const size = { memoryBytes: 1, stackBytes: 1 };
  const given = {
    engine: 'quickjs-wasi',
    wasm: async () => module,
    size,
    startMs: 60_000,
    idleMs: 60_000,
  } as const;
  const { most, mostWaiting = 8, standbyMs = 0 } = options;
  return { started, pool: createPool({ spawn, most, mostWaiting, standbyMs, ...given }) };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it('uses a worker again, and keeps one beside it', async () => {
  const { pool, started } = await setup({ most: 4 });
  const first = await pool.take();
  await settled();
  expect(started).toHaveLength(2);
  pool.give(first);
  for (let n = 0; n < 5; n++) {
    const again = await pool.take();
    expect(again).toBe(first);
    pool.give(again);
    await settled();
  }
  expect(started).toHaveLength(2);
  pool.close();
  expect(started.map(({ isOver }) => isOver)).toEqual([true, true]);
});

it('has the next one ready where one was dropped', async () => {
  const { pool, started } = await setup({ most: 4 });
  const first = await pool.take();
  await settled();
  pool.drop(first);
  expect(started[0]?.isOver).toBe(true);
  expect(await pool.take()).toBe(started[1]);
});

it('starts the next one at once if one is dropped before there was another', async () => {
  const { pool, started } = await setup({ most: 4, standbyMs: 60_000 });
  const first = await pool.take();
  await settled();
  expect(started).toHaveLength(1);
  pool.drop(first);
  expect(started).toHaveLength(2);
  expect(await pool.take()).toBe(started[1]);
  pool.close();
});

it('lets no more run than it may, in the order in which they came', async () => {
  const { pool } = await setup({ most: 2 });
  const [first, second] = [await pool.take(), await pool.take()];
  const order: string[] = [];
  const third = pool.take().then((thread) => (order.push('third'), thread));
  const fourth = pool.take().then((thread) => (order.push('fourth'), thread));
  await settled();
  expect(order).toEqual([]);
  pool.give(first);
  await third;
  expect(order).toEqual(['third']);
  pool.drop(second);
  await fourth;
  expect(order).toEqual(['third', 'fourth']);
});

it('says why none can be started, to each who asks', async () => {
  const { pool, started } = await setup({ most: 1, isBroken: true });
  await expect(pool.take()).rejects.toThrow('no');
  await expect(pool.take()).rejects.toThrow('no');
  expect(started.every(({ isOver }) => isOver)).toBe(true);
});

it('hears of a worker that died while the WebAssembly was still compiled, which left the run waiting for ever', async () => {
  const spawn = (): Thread => {
    const hearing = createHearing();
    hearing.died('gone');
    return { post: () => undefined, listen: hearing.listen, hold: () => undefined, terminate: hearing.end };
  };
  const wasm = async (): Promise<WebAssembly.Module> => {
    await settled();
    return WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  };
  const size = { memoryBytes: 1, stackBytes: 1 };
  const limits = { most: 1, mostWaiting: 1, startMs: 60_000, idleMs: 60_000, standbyMs: 0 };
  const pool = createPool({ spawn, wasm, engine: 'quickjs-wasi', size, ...limits });
  await expect(pool.take()).rejects.toThrow('gone');
  await expect(pool.take()).rejects.toThrow('gone');
});

it('waits for no worker longer than it may, and keeps one that comes late for the next', async () => {
  const late: (() => void)[] = [];
  const { pool, started } = await setup({ most: 2, late });
  let isPlaced = false;
  await expect(pool.take({ startMs: 5, placed: () => (isPlaced = true) })).rejects.toThrow('did not start within');
  expect(isPlaced).toBe(true);
  late.forEach((ready) => ready());
  await settled();
  expect(await pool.take()).toBe(started[0]);
});

it('lets another one run for each whose script waits, up to a limit, and refuses who would wait for those that wait', async () => {
  const { pool } = await setup({ most: 1, mostWaiting: 1 });
  const first = await pool.take();
  const second = pool.take();
  pool.lend(true);
  const taken = await second;
  const third = pool.take();
  const refused = third.catch(String);
  pool.lend(true);
  expect(await refused).toContain('2 scripts wait for their host functions, perhaps for this script');
  await expect(pool.take()).rejects.toThrow('2 scripts wait');
  pool.lend(false);
  const fourth = pool.take(); // the one at work makes place
  pool.give(taken);
  expect(await fourth).toBeDefined();
  pool.lend(false);
  pool.give(first);
});

it('counts one that works again, though there are more than may run', async () => {
  const { pool } = await setup({ most: 1, mostWaiting: 4 });
  await pool.take();
  pool.lend(true);
  const second = await pool.take();
  pool.lend(false);
  let isTaken = false;
  const third = pool.take().then(() => (isTaken = true));
  pool.give(second);
  await settled();
  expect(isTaken).toBe(false);
  pool.lend(true);
  await third;
});
