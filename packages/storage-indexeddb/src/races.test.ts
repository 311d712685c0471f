// Two tabs of a real browser, and a tab and a service worker, want the same thread, and the one that has it is closed.
// Their script is one file: a service worker imports nothing later.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Thread } from '@utensil/core';
import { loopback } from '@utensil/tooling-loopback';
import { createHearing, followed, inherited } from '@utensil/tooling-rivals';
import type { Order, Report, Rival } from '@utensil/tooling-rivals';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chromiumOptions } from '../../../tooling/chromium.ts';

/** Page of the test itself: reads the thread, and forwards messages of the other writers. */
const stageScript = `
  import { createRecords, openThread } from '@utensil/core';
  import { indexeddbStorage } from './indexeddb.ts';
  const channels = new Map();
  Object.assign(globalThis, {
    stage: {
      open: (database) => void (globalThis.thread = openThread(createRecords(indexeddbStorage({ database })), 'race')),
      listen(name) {
        const channel = new BroadcastChannel(name);
        channel.addEventListener('message', ({ data }) => globalThis.hear(name, data));
        channels.set(name, channel);
      },
      order: (name, order) => channels.get(name).postMessage(order),
      ended: (name) => navigator.locks.request(name, () => {}),
    },
  });
`;

declare const stage: {
  open(database: string): void;
  listen(name: string): void;
  order(name: string, order: Order): void;
  ended(name: string): Promise<void>;
};
declare const thread: Thread;

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    conditions: ['@utensil/source'],
    absWorkingDir: join(import.meta.dirname, '../../..'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('\n');
}

const [script, page] = [{ 'content-type': 'text/javascript' }, { 'content-type': 'text/html' }];
const served: Readonly<Record<string, readonly [headers: Record<string, string>, body: string]>> = {
  '/stage': [page, '<!doctype html><script type="module" src="/stage.js"></script>'],
  '/rival': [page, '<!doctype html><script type="module" src="/rival.js"></script>'],
  '/stage.js': [script, await bundle(stageScript)],
  '/rival.js': [script, await bundle(`import { startRival } from './test-kit/rival-script.ts'; startRival();`)],
};
const server = await loopback(({ path }) => {
  const [headers, body] = served[path.split('?')[0] ?? ''] ?? [{}, ''];
  return { status: body === '' ? 404 : 200, headers, body: [body] };
});
const browser = await chromium.launch(chromiumOptions());
afterAll(async () => {
  await browser.close();
  await server.close();
});

let control: Page;
let database: string;
let hearings: Map<string, (report: Report) => void>;
beforeEach(async () => {
  database = randomUUID();
  hearings = new Map();
  control = await (await browser.newContext()).newPage();
  await control.exposeFunction('hear', (name: string, report: Report) => hearings.get(name)?.(report));
  await control.goto(`${server.url}/stage`);
  await control.waitForFunction(() => 'stage' in globalThis);
  await control.evaluate((given) => stage.open(given), database);
});
afterEach(() => control.context().close());

/** Ways to start another writer. Each returns a function that ends it at once. */
const kinds = {
  async tab(query: string) {
    const opened = await control.context().newPage();
    await opened.goto(`${server.url}/rival?${query}`);
    return () => opened.close();
  },
  async 'service worker'(query: string) {
    await control.evaluate(
      (address) => navigator.serviceWorker.register(address, { type: 'module' }).then(() => undefined),
      `/rival.js?${query}`,
    );
    return async () => {
      const session = await control.context().newCDPSession(control);
      await session.send('ServiceWorker.enable');
      await session.send('ServiceWorker.stopAllWorkers');
    };
  },
} as const;
type Kind = keyof typeof kinds;

async function open(kind: Kind): Promise<Rival> {
  const name = randomUUID();
  const { hear, ...hearing } = createHearing();
  hearings.set(name, hear);
  await control.evaluate((given) => stage.listen(given), name);
  const end = await kinds[kind](new URLSearchParams({ rival: name, database }).toString());
  await hearing.says(({ event }) => event === 'ready');
  return {
    ...hearing,
    order: (order) => void control.evaluate(([to, given]) => stage.order(to, given), [name, order] as const),
    async kill() {
      await end();
      await control.evaluate((given) => stage.ended(given), name);
    },
  };
}

/** The thread, as the page of the test has it. */
const seen = (): Thread =>
  ({
    append: (entries) => control.evaluate((json) => thread.append(JSON.parse(json)), JSON.stringify(entries)),
    read: () => control.evaluate(() => thread.read()),
  }) satisfies Pick<Thread, 'append' | 'read'> as unknown as Thread;

const whole = ['Go.', 'I save it.', 'save has returned.', 'Done.'];
const refusal = { code: 'thread_busy', value: expect.stringMatching(/^thread_busy: the run '[^']+' is at work/) };

describe.each<Kind>(['tab', 'service worker'])('a tab and a %s with one thread', (kind) => {
  it('one works; the other is told which run has the thread, and follows until it has the answer', async () => {
    const outcome = await followed(seen(), [await open('tab'), await open(kind)]);
    expect(outcome).toMatchObject({ refusal, effects: 1, texts: whole });
  });

  it('the owner is closed: the other one goes on, nothing is done twice, and nothing is lost', async () => {
    const outcome = await inherited(seen(), [await open(kind), await open('tab')]);
    expect(outcome).toMatchObject({ refusal, effects: 1, texts: whole, end: { value: 'complete' } });
  });
});
