// Several tabs, and their ends. This file is both sides: Vitest loads it in a page, which opens it in other tabs,
// windows, frames and workers; these execute tasks and report.

import { createFiles, createRecords, isUtensilError, messageOf, openThread } from '@utensil/core';
import type { Thread } from '@utensil/core';
import type { StorageChange, StorageEntry, StorageDriver } from '@utensil/core/storage';
import { createConnection } from './connection.ts';
import { indexeddbStorage, storageOn } from './indexeddb.ts';
import { steps } from './schema.ts';
import { tabHolder } from './tab-holder.ts';
import type { Step } from './schema.ts';

const patient = { timeout: 100_000 };

/** Task for another tab. */
interface Task {
  readonly name: string;
  readonly database: string;
}

/** Report of a tab: done, with an error message if it failed, or in progress. */
interface Report {
  readonly event: 'ready' | 'done' | 'begun' | 'made' | 'heard';
  readonly value?: string | number | undefined;
}

const prefix = 'utensil tab ';
const ownName = (globalThis as { readonly name?: string }).name ?? '';
const next: readonly Step[] = [...steps, (db) => void db.createObjectStore('later' as never)];
const openNext = (database: string): StorageDriver => storageOn(createConnection(database, { steps: next }), '');

/** Tasks by name. */
const tasks: Readonly<Record<string, (database: string, tell: (report: Report) => void) => Promise<unknown>>> = {
  append: (database) => append(database, 15),
  'append much': (database) => append(database, 250),
  async upgrade(database) {
    const driver = openNext(database);
    await createFiles(driver).write(`/${ownName}`, 'here');
    await driver.close();
  },
  async use(database) {
    await createFiles(indexeddbStorage({ database })).write('/used', 'by an older one'); // and leaves it open
  },
  hold: (database) =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open(database);
      request.addEventListener('success', resolve); // and never lets go
      request.addEventListener('error', reject);
    }),
  async claim(database) {
    await threadIn(database).claim({ runId: 'theirs' }); // and never releases it
  },
  async watch(database, tell) {
    const driver = indexeddbStorage({ database });
    driver.watch((changed) => {
      for (const key of changed) {
        void driver.stat([key]).then(([entry]) => tell({ event: 'heard', value: `${key.path} ${entry?.size}` }));
      }
    });
  },
  async batches(database, tell) {
    const driver = indexeddbStorage({ database });
    await driver.commit({ expect: [], changes: [{ type: 'make-directory', tree: 'records', path: '/old' }], time: 0 });
    const make = async (count: number): Promise<void> => {
      tell({ event: 'begun', value: count });
      const { ok } = await driver.commit({ expect: [], changes: batch(count), time: count });
      if (ok) tell({ event: 'made', value: count });
    };
    for (let count = 1; ; count += 3) await Promise.all([make(count), make(count + 1), make(count + 2)]);
  },
};

const threadIn = (database: string, driver = indexeddbStorage({ database })): Thread =>
  openThread(createRecords(driver), 't', { holder: tabHolder() });

async function append(database: string, lines: number): Promise<void> {
  const driver = indexeddbStorage({ database });
  const files = createFiles(driver);
  for (let count = 0; count < lines;) {
    try {
      await files.append('/log', `${ownName} ${count}\n`);
      count++;
    } catch (error) {
      if (!isUtensilError(error, 'ECONFLICT')) throw error;
    }
  }
  await driver.close();
}

/** Both files get this number; what they were before is kept. */
function batch(count: number): readonly StorageChange[] {
  const content = new Uint8Array(20_000 + count);
  const write = (path: string): StorageChange => ({ type: 'write', tree: 'files', path, content });
  const keep: StorageChange = {
    type: 'move',
    tree: 'files',
    path: '/a',
    to: { tree: 'records', path: `/old/${count - 1}` },
  };
  return [...(count === 1 ? [] : [keep]), write('/a'), write('/b')];
}

if (ownName.startsWith(prefix)) await serve(new BroadcastChannel(ownName));
else await registerTests();

async function serve(channel: BroadcastChannel): Promise<void> {
  const tell = (report: Report): void => channel.postMessage(report);
  channel.addEventListener('message', ({ data: { name, database } }: MessageEvent<Task>) => {
    const working = tasks[name]?.(database, tell) ?? Promise.reject(new Error(`There is no task '${name}'.`));
    working.then(
      () => tell({ event: 'done' }),
      (error: unknown) => tell({ event: 'done', value: messageOf(error) }),
    );
  });
  void navigator.locks.request(ownName, () => new Promise(() => {})); // until it ends
  tell({ event: 'ready' });
}

async function registerTests(): Promise<void> {
  const { deleteDB } = await import('idb');
  const { afterEach, beforeEach, describe, expect, inject, it, vi } = await import('vitest');
  const { cdp } = await import('vitest/browser');

  interface Other {
    readonly name: string;
    readonly heard: Report[];
    /** Resolves to the details of the next such report. */
    next(event: Report['event']): Promise<unknown>;
    /** Resolves with what went wrong. */
    ask(task: string): Promise<unknown>;
    begin(task: string): void;
    /** Resolves when it has ended. */
    end(): Promise<void>;
  }

  let database: string;
  let others: Other[];
  let drivers: StorageDriver[];
  beforeEach(() => {
    database = crypto.randomUUID();
    [others, drivers] = [[], []];
  });
  afterEach(async () => {
    await Promise.all(others.map((other) => other.end()));
    await Promise.all(drivers.map((driver) => driver.close()));
    await deleteDB(database);
  });

  function kept(driver: StorageDriver): StorageDriver {
    drivers.push(driver);
    return driver;
  }

  const script = new URL('./tabs.browser.test.ts', import.meta.url).href;
  const documentFor = (name: string): string =>
    `<!doctype html><script>name = ${JSON.stringify(name)}</script><script type="module" src="${script}"></script>`;

  /** Ways to open another, each giving the way to end it at once. */
  const kinds = {
    worker(name: string) {
      const worker = new Worker(script, { type: 'module', name });
      return async () => worker.terminate();
    },
    frame(name: string) {
      const frame = document.createElement('iframe');
      frame.srcdoc = documentFor(name);
      document.body.append(frame);
      return async () => frame.remove();
    },
    window(name: string) {
      const opened = window.open('', '_blank');
      opened?.document.write(documentFor(name));
      opened?.document.close();
      return async () => opened?.close();
    },
    /** A tab that has a process of its own, which is made to crash. */
    tab(name: string) {
      const page = URL.createObjectURL(new Blob([documentFor(name)], { type: 'text/html' }));
      window.open(page, '_blank', 'noopener');
      return () => crash(page, name);
    },
  } as const;
  type Kind = keyof typeof kinds;

  async function open(kind: Kind, used = database): Promise<Other> {
    const name = prefix + crypto.randomUUID();
    const heard: Report[] = [];
    const channel = new BroadcastChannel(name);
    const next = (event: Report['event']): Promise<unknown> =>
      new Promise((resolve) => {
        channel.addEventListener('message', function hear({ data }: MessageEvent<Report>) {
          if (data.event !== event) return;
          channel.removeEventListener('message', hear);
          resolve(data.value);
        });
      });
    channel.addEventListener('message', ({ data }: MessageEvent<Report>) => heard.push(data));
    const ready = next('ready');
    const close = kinds[kind](name);
    const begin = (task: string): void => channel.postMessage({ name: task, database: used } satisfies Task);
    let isOpen = true;
    const other: Other = {
      name,
      heard,
      next,
      begin,
      async ask(task) {
        const done = next('done');
        begin(task);
        return done;
      },
      async end() {
        if (!isOpen) return;
        isOpen = false;
        await close();
        await hasEnded(name);
        channel.close();
      },
    };
    others.push(other);
    await ready;
    return other;
  }

  /** Waits for the lock that another has until it ends. */
  async function hasEnded(name: string): Promise<void> {
    await navigator.locks.request(name, () => {});
  }

  interface Protocol {
    send(method: string, parameters?: object): Promise<unknown>;
  }

  async function crash(url: string, name: string): Promise<void> {
    const browser = cdp() as unknown as Protocol;
    const found = (await browser.send('Target.getTargets')) as { targetInfos: { url: string; targetId: string }[] };
    const targetId = found.targetInfos.find((target) => target.url === url)?.targetId;
    const { sessionId } = (await browser.send('Target.attachToTarget', { targetId, flatten: false })) as {
      sessionId: string;
    };
    await browser.send('Target.sendMessageToTarget', { sessionId, message: '{"id":1,"method":"Page.crash"}' });
    await hasEnded(name);
    await browser.send('Target.closeTarget', { targetId });
  }

  describe('several tabs', () => {
    const [task, length] = inject('isLong') ? (['append much', 250] as const) : (['append', 15] as const);

    it('lose none of the lines that four of them append to one file', async () => {
      const four = await Promise.all((['tab', 'window', 'frame', 'worker'] as const).map((kind) => open(kind)));
      expect(await Promise.all(four.map(({ ask }) => ask(task)))).toEqual(four.map(() => undefined));
      const { text } = await createFiles(kept(indexeddbStorage({ database }))).readText('/log');
      const lines = text.trimEnd().split('\n');
      expect(lines.length).toBe(4 * length);
      for (const { name } of four) {
        const own = lines.filter((line) => line.startsWith(name));
        expect(own).toEqual(Array.from({ length }, (_, count) => `${name} ${count}`));
      }
    });

    it('hear what is changed in another, and can read it then', async () => {
      const [tab, worker] = await Promise.all([open('tab'), open('worker')]);
      await Promise.all([tab.ask('watch'), worker.ask('watch')]);
      const driver = kept(indexeddbStorage({ database }));
      for (let size = 1; size <= 3; size++) {
        const change: StorageChange = { type: 'write', tree: 'files', path: `/${size}`, content: new Uint8Array(size) };
        await driver.commit({ expect: [], changes: [change], time: 0 });
      }
      for (const { heard } of [tab, worker]) {
        const values = (): unknown[] => heard.filter(({ event }) => event === 'heard').map(({ value }) => value);
        await expect.poll(() => values()).toEqual(['/1 1', '/2 2', '/3 3']);
      }
    });

    it.each(['tab', 'window', 'frame', 'worker'] as const)(
      'a thread that a %s had when it ended was busy for minutes: the next tab takes it at once',
      async (kind) => {
        const other = await open(kind);
        expect(await other.ask('claim')).toBeUndefined();
        const thread = threadIn(database, kept(indexeddbStorage({ database })));
        expect(await thread.owner?.()).toMatchObject({ runId: 'theirs', since: expect.any(Number) as number });
        await expect(thread.claim({ runId: 'ours' })).rejects.toMatchObject({ code: 'thread_busy' });
        await other.end();
        await vi.waitFor(async () => expect(await thread.owner?.()).toBeUndefined(), patient);
        const claim = await thread.claim({ runId: 'ours' });
        expect(claim).toMatchObject({ runId: 'ours', lapsed: 0 });
        await claim.release();
      },
    );

    it('can upgrade the database at once, while an older one has it open', async () => {
      const [older, ...newer] = await Promise.all([open('window'), open('tab'), open('worker')]);
      expect(await older.ask('use')).toBeUndefined();
      expect(await Promise.all(newer.map(({ ask }) => ask('upgrade')))).toEqual([undefined, undefined]);
      const files = createFiles(kept(openNext(database)));
      const paths = (await files.list('/')).entries.map(({ path }) => path);
      expect(paths).toEqual(['/used', ...newer.map(({ name }) => `/${name}`)].sort());
      expect(await older.ask('use')).toMatch(/^EIO: .* newer version of this app: reload/);
    });

    it('say that one is in the way that does not let go, and go on when it has ended', async () => {
      await createFiles(kept(indexeddbStorage({ database }))).write('/a', 'kept');
      const stubborn = await open('tab');
      expect(await stubborn.ask('hold')).toBeUndefined();
      const files = createFiles(kept(openNext(database)));
      await expect(files.read('/a')).rejects.toMatchObject({ code: 'EBUSY', retryable: true });
      await stubborn.end();
      await vi.waitFor(async () => expect((await files.readText('/a')).text).toBe('kept'), patient);
    });
  });

  describe('one that ends in the middle of batches', () => {
    const counts = inject('isLong')
      ? { worker: 30, frame: 10, window: 6, tab: 4 }
      : { worker: 4, frame: 2, window: 1, tab: 1 };
    const ends = Object.entries(counts).flatMap(([kind, length]) => Array.from({ length }, () => kind as Kind));

    const atOnce = 5;

    it('leaves each batch whole or not at all, wherever it ends', { timeout: 300_000 }, async ({ annotate }) => {
      const landed: Record<string, number> = {};
      const endOne = async (kind: Kind, index: number): Promise<void> => {
        const own = crypto.randomUUID();
        const other = await open(kind, own);
        const made = other.next('made');
        other.begin('batches');
        await made;
        await new Promise((resolve) => setTimeout(resolve, (index * 7) % 23)); // somewhere, not at something
        await other.end();
        const where = `${kind}: ${await whereItEnded(own, other.heard)}`;
        landed[where] = (landed[where] ?? 0) + 1;
        await deleteDB(own);
      };
      for (let index = 0; index < ends.length; index += atOnce) {
        await Promise.all(ends.slice(index, index + atOnce).map((kind, among) => endOne(kind, index + among)));
      }
      await annotate(`It ended ${JSON.stringify(landed)}.`);
      expect(Object.values(landed).reduce((sum, count) => sum + count)).toBe(ends.length);
    });

    /** Asserts that all acknowledged batches exist, and of the others only a prefix. */
    async function whereItEnded(own: string, heard: readonly Report[]): Promise<string> {
      const [begun, made] = (['begun', 'made'] as const).map((event) =>
        Math.max(0, ...heard.filter((report) => report.event === event).map(({ value }) => Number(value))),
      ) as [number, number];
      const driver = indexeddbStorage({ database: own });
      const { a, b, old } = await readAll(driver);
      const last = countOf(a);
      expect(countOf(b)).toBe(last);
      expect(last).toBeGreaterThanOrEqual(made);
      const counts = old.map((entry) => [Number(entry.path.slice('/old/'.length)), countOf(entry)]);
      const expected = Array.from({ length: last - 1 }, (_, index) => [index + 1, index + 1]);
      expect(counts.toSorted(([left = 0], [right = 0]) => left - right)).toEqual(expected);
      for (const key of [...old, { tree: 'files', path: '/a' } as const]) {
        const found = await driver.read(key);
        expect(found?.content.length).toBe(found?.entry.size);
      }
      await driver.close();
      if (last > made) return 'after it was made, before that was said';
      return begun > made ? 'before it was made' : 'between two';
    }

    /** Reads until nothing has come in between: what was under way in the browser's own process may still be done. */
    async function readAll(driver: StorageDriver) {
      const keys = ['/a', '/b'].map((path) => ({ tree: 'files', path }) as const);
      for (;;) {
        const [a, b] = await driver.stat(keys);
        const old = await driver.list({ tree: 'records', path: '/old', depth: 1, limit: 10_000 });
        const [again] = await driver.stat(keys);
        if (again?.etag === a?.etag) return { a, b, old };
      }
    }

    function countOf(entry: Pick<StorageEntry, 'size'> | undefined): number {
      return (entry?.size ?? 20_000) - 20_000;
    }
  });
}
