import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRecords } from '../records/records.ts';
import { createFiles } from './create-files.ts';
import type { Files } from './files.ts';
import { mountFiles } from './mount/mount.ts';
import { readOnly } from './read-only.ts';
import type { StorageDriver } from './storage/driver.ts';
import { subtree } from './subtree.ts';

const forty = Array.from({ length: 40 }, (_, index) => index);

/** A storage that answers later, as those that wait for a disk or a network do. */
function slow(driver: StorageDriver): StorageDriver {
  const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
  return {
    ...driver,
    stat: async (keys) => turn().then(() => driver.stat(keys)),
    read: async (key, range) => turn().then(() => driver.read(key, range)),
    commit: async (commit) => turn().then(() => driver.commit(commit)),
  };
}

afterEach(() => vi.useRealTimers());

/** Waits for something that takes long, without taking long. */
async function soon<Result>(work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const result = work();
  result.catch(() => {}); // for the caller
  await vi.runAllTimersAsync();
  return result;
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Adds a line to a log in two steps, which only a batch makes one. */
async function log(files: Files, line: unknown): Promise<void> {
  const { text } = await files.readText('/log');
  await files.write('/log', `${text}${String(line)} `);
}

const logged = async (files: Files): Promise<readonly string[]> =>
  (await files.readText('/log')).text.trimEnd().split(' ');

describe('batches of one Files', () => {
  it('all land in the order of their calls', async () => {
    const files = createFiles(slow(memoryStorage()));
    await files.write('/log', '');
    let rounds = 0;
    const batches = forty.map((index) =>
      files.batch(async (staged) => {
        rounds++;
        await log(staged, index);
      }),
    );
    await Promise.all(batches);
    expect(await logged(files)).toEqual(forty.map(String));
    expect(rounds).toBe(40);
  });

  it('keep their order if the work of each waits for something else for long', async () => {
    const files = createFiles(memoryStorage());
    await files.write('/log', '');
    let rounds = 0;
    const waiting = (index: number) =>
      files.batch(async (staged) => {
        rounds++;
        const { text } = await staged.readText('/log');
        await sleep(2000);
        await staged.write('/log', `${text}${index} `);
      });
    await soon(() => Promise.all([1, 2, 3, 4].map(waiting)));
    expect(rounds).toBe(4);
    expect(await logged(files)).toEqual(['1', '2', '3', '4']);
  });

  it('are in order with single changes, whichever path those are of', async () => {
    const files = createFiles(slow(memoryStorage()));
    const seen: (string | undefined)[] = [];
    const sizes = async (staged: Files): Promise<void> => {
      const found = await Promise.all(['/a', '/b'].map((path) => staged.stat(path)));
      seen.push(found.map((stat) => stat?.size ?? '-').join(' '));
    };
    await Promise.all([
      files.batch(sizes),
      files.write('/a', 'a'),
      files.batch(sizes),
      files.write('/b', 'bb'),
      files.write('/a', 'aaa'),
      files.batch(sizes),
      files.remove('/a'),
      files.batch(sizes),
    ]);
    expect(seen).toEqual(['- -', '1 -', '3 2', '- 2']);
  });

  it('continue after one whose work fails', async () => {
    const files = createFiles(memoryStorage());
    await files.write('/log', '');
    const failing = files.batch(() => Promise.reject(new Error('no')));
    const next = files.batch((staged) => log(staged, 'next'));
    await expect(failing).rejects.toThrow('no');
    await next;
    expect(await logged(files)).toEqual(['next']);
  });
});

describe('work that calls the outer files', () => {
  it('does not wait for itself', async () => {
    const files = createFiles(memoryStorage());
    const result = await files.batch(async (staged) => {
      await staged.write('/inner', '1');
      await files.write('/outer', '2');
      await files.batch((other) => other.write('/batch', '3'));
      return 'done';
    });
    expect(result).toBe('done');
    expect((await files.list('/')).entries.map(({ path }) => path)).toEqual(['/batch', '/inner', '/outer']);
  });

  it('does not wait at all where it begins with them, as batches of mounts over the same files do', async () => {
    const files = createFiles(memoryStorage());
    await files.write('/shared/log', '');
    const mounted = mountFiles(subtree(files, '/own'), {
      '/share': readOnly(subtree(files, '/shared')),
      '/rw': subtree(files, '/shared'),
    });
    vi.useFakeTimers({ toFake: ['setTimeout'] }); // anyone who waited for a timer would wait for ever
    for (const index of forty) await mounted.batch((staged) => staged.append('/rw/log', `${index} `));
    await Promise.all(forty.map((index) => mounted.batch((staged) => staged.append('/rw/log', `${index} `))));
    const numbers = forty.join(' ');
    expect((await files.readText('/shared/log')).text).toBe(`${numbers} ${numbers} `);
  });

  it('keeps the turn while another batch is busy that it began with', async () => {
    const files = createFiles(memoryStorage());
    await files.write('/shared/a', '');
    const mounted = mountFiles(subtree(files, '/own'), { '/rw': subtree(files, '/shared') });
    const seen: string[] = [];
    const busy = (): Promise<unknown> =>
      mounted.batch(async (staged) => {
        for (const index of forty) {
          await staged.append('/rw/a', `${index}`);
          await sleep(20);
        }
        seen.push('batch');
      });
    const write = async (): Promise<void> => {
      await sleep(50);
      await files.write('/other', '');
      seen.push('write');
    };
    await soon(() => Promise.all([busy(), write()]));
    expect(seen).toEqual(['batch', 'write']);
  });

  it('fails soon and says why, where it changes by them what it has looked at itself', async () => {
    const files = createFiles(memoryStorage());
    await files.write('/count', '1');
    let rounds = 0;
    const batch = soon(() =>
      files.batch(async (staged) => {
        rounds++;
        const { text } = await staged.readText('/count');
        await files.append('/count', '1');
        await staged.write('/count', text);
      }),
    );
    await expect(batch).rejects.toMatchObject({ code: 'ECONFLICT', retryable: false });
    await expect(batch).rejects.toThrow('only by those that it is given');
    expect(rounds).toBe(5);
  });

  it('of two Files that wait for each other does not wait for ever', async () => {
    const [one, two] = [createFiles(memoryStorage()), createFiles(memoryStorage())];
    const results = await Promise.all([
      one.batch(async (staged) => {
        await staged.write('/a', '1');
        await sleep(1);
        return two.write('/a', '2');
      }),
      two.batch(async (staged) => {
        await staged.write('/b', '1');
        await sleep(1);
        return one.write('/b', '2');
      }),
    ]);
    expect(results.map(({ path }) => path)).toEqual(['/a', '/b']);
  });

  it('of a batch that waits for what comes later goes on, too', async () => {
    const files = createFiles(memoryStorage());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let come = (): void => {};
    const later = new Promise<void>((resolve) => (come = resolve));
    const first = files.batch(() => sleep(1));
    const batch = files.batch(() => later);
    const write = files.write('/a', 'a').then(come);
    await soon(() => Promise.all([first, batch, write]));
    expect((await files.stat('/a'))?.size).toBe(1);
  });
});

describe('several writers of one storage', () => {
  it('of which each has Files of its own all get their batches through', async () => {
    const state = memoryState();
    const all = forty.map(() => createFiles(slow(memoryStorage({ state }))));
    const [first] = all;
    await first?.write('/log', '');
    await Promise.all(all.map((files, index) => files.batch((staged) => log(staged, index))));
    const lines = first === undefined ? [] : await logged(first);
    expect(lines.map(Number).sort((left, right) => left - right)).toEqual(forty);
  });

  it('get a long batch through, however often others were faster', async () => {
    const state = memoryState();
    const [files, others] = [memoryStorage({ state }), memoryStorage({ state })].map((driver) => createFiles(driver));
    if (files === undefined || others === undefined) return;
    await files.write('/log', '');
    let rounds = 0;
    const long = (): Promise<void> =>
      files.batch(async (staged) => {
        await log(staged, 'long');
        if (++rounds <= 50) await log(others, rounds);
      });
    await soon(long);
    expect((await logged(files)).at(-1)).toBe('long');
    expect(rounds).toBe(51);
  });

  it('append all their records: 40 from 4 stores', async () => {
    const driver = slow(memoryStorage());
    const stores = [1, 2, 3, 4].map(() => createRecords(driver));
    const numbers = await Promise.all(forty.map(async (index) => stores[index % 4]?.append(['log'], index)));
    expect(numbers.map(Number).sort((left, right) => left - right)).toEqual(forty.map((index) => index + 1));
  });

  it('put all their records: 40 counts from 4 stores', async () => {
    const driver = slow(memoryStorage());
    const stores = [1, 2, 3, 4].map(() => createRecords(driver));
    await Promise.all(forty.map(async (index) => stores[index % 4]?.put(['last'], index)));
    expect((await stores[0]?.get(['last']))?.value).toBeTypeOf('number');
  });
});
