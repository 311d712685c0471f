// Several tabs, and their ends. Each loads a bundle: the several hundred modules of a tab cost most of its time.

import { createFiles } from '@utensil/core';
import type { StorageChange, StorageEntry, StorageDriver } from '@utensil/core/storage';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { cdp, commands } from 'vitest/browser';
import { indexeddbStorage } from './indexeddb.ts';
import { openNext, prefix, threadIn } from './test-kit/tab.ts';
import type { Report, Task } from './test-kit/tab.ts';

const patient = { timeout: 100_000 };

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

const bundle = await commands.bundled('packages/storage-indexeddb/src/test-kit/tab.ts');
const script = URL.createObjectURL(new Blob([bundle], { type: 'text/javascript' }));
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
  const greeting = setInterval(() => begin('hello'), 20); // Chromium drops messages of a tab that has just opened
  const comes = within(ready, `A ${kind} was opened, but never said that it was ready.`);
  await comes.finally(() => clearInterval(greeting));
  return other;
}

/** Fails with a message that names what is missing; a test's own timeout would not. */
async function within<Value>(promise: Promise<Value>, message: string): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), patient.timeout);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
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
      const old = await driver.list({ tree: 'records', path: '/old', depth: 1, limit: 1_000_000 });
      const [again] = await driver.stat(keys);
      if (again?.etag === a?.etag) return { a, b, old };
    }
  }

  function countOf(entry: Pick<StorageEntry, 'size'> | undefined): number {
    return (entry?.size ?? 20_000) - 20_000;
  }
});
