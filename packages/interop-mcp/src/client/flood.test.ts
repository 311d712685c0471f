import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { stdioServer } from '../node/index.ts';
import { deferred } from '../test-kit/served.ts';
import { mounted, until } from '../test-kit/sources.ts';
import { inTurn } from './in-turn.ts';

interface Counts {
  readonly sent: number;
  readonly lists: number;
  readonly most: number;
}

describe('a server that announces ten thousand changes', () => {
  it('is listed once at a time, and its calls go through', async () => {
    const program = join(import.meta.dirname, '../test-kit/flooding-server.ts');
    const { call, unmount } = await mounted(stdioServer({ command: process.execPath, args: [program] }));
    await call('x_flood');
    const answers = await Promise.all(Array.from({ length: 100 }, () => call('x_echo')));
    expect(answers.map(({ output }) => output)).toEqual(answers.map(() => 'echo'));
    let counts: Counts = { sent: 0, lists: 0, most: 0 };
    const isOver = async () => (counts = JSON.parse(String((await call('x_counts')).output)) as Counts).sent >= 10_000;
    while (!(await isOver())); // each of these calls lists the tools, if they may have changed
    await unmount();
    expect(counts.most).toBe(1);
    expect(counts.lists).toBeLessThan(200);
  });
});

describe('work that is done in turn', () => {
  it('is shared by all who ask during a run, and begins after they asked', async () => {
    const runs: ReturnType<typeof deferred<number>>[] = [];
    const work = inTurn(() => {
      runs.push(deferred<number>());
      return runs.at(-1)?.promise ?? Promise.reject(new Error('no'));
    });
    const first = work();
    const others = Array.from({ length: 1_000 }, () => work());
    expect(runs).toHaveLength(1);
    runs[0]?.resolve(1);
    expect(await first).toBe(1);
    await until(() => runs.length === 2, 'the next run');
    const last = work();
    runs[1]?.resolve(2);
    expect(new Set(await Promise.all(others))).toEqual(new Set([2]));
    await until(() => runs.length === 3, 'the last run');
    runs[2]?.resolve(3);
    expect(await last).toBe(3);
  });

  it('goes on after a failure', async () => {
    let count = 0;
    const work = inTurn(() => (count++ === 0 ? Promise.reject(new Error('once')) : Promise.resolve(count)));
    const [first, second] = await Promise.allSettled([work(), work()]);
    expect(first).toMatchObject({ status: 'rejected' });
    expect(second).toEqual({ status: 'fulfilled', value: 2 });
    expect(await work()).toBe(3);
  });
});
