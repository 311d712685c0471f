// Settings in two tabs. This file is both sides: Vitest loads it in a page, and there it opens itself in a window or a
// worker, which opens the same settings.

import { createRecords, defineTool, jsonSchema, openSettings } from '@utensil/core';
import { isEnabled, withEnabled } from '@utensil/core/settings';
import type { SettingsStore, Tool } from '@utensil/core';
import { indexeddbStorage } from './indexeddb.ts';

const named = (name: string): Tool =>
  defineTool({ name, description: name, input: jsonSchema({ type: 'object' }), effects: 'read' });
const [search, clock] = [named('search'), named('clock')];

/** Messages of the other tab: it is ready, has stored a choice, or sees the clock switched off. */
type Notifications = 'ready' | 'stored' | 'seen';

const prefix = 'utensil settings ';
const ownName = (globalThis as { readonly name?: string }).name ?? '';

if (ownName.startsWith(prefix)) await serve(ownName);
else await registerTests();

async function serve(name: string): Promise<void> {
  const channel = new BroadcastChannel(name);
  const tell = (news: Notifications): void => channel.postMessage(news);
  const driver = indexeddbStorage({ database: name.slice(prefix.length) });
  const settings = await openSettings(createRecords(driver), 'p');
  settings.subscribe(() => {
    if (!isEnabled(settings.current(), clock)) tell('seen');
  });
  channel.addEventListener('message', async () => {
    await settings.update((current) => withEnabled(current, search, false));
    tell('stored');
  });
  tell('ready');
}

async function registerTests(): Promise<void> {
  const { deleteDB } = await import('idb');
  const { expect, it } = await import('vitest');
  const script = new URL('./settings.browser.test.ts', import.meta.url).href;

  /** Ways to open another one, each giving the way to end it. */
  const kinds = {
    window(name: string) {
      const opened = window.open('', '_blank');
      opened?.document.write(
        `<!doctype html><script>name = ${JSON.stringify(name)}</script><script type="module" src="${script}"></script>`,
      );
      opened?.document.close();
      return () => opened?.close();
    },
    worker(name: string) {
      const worker = new Worker(script, { type: 'module', name });
      return () => worker.terminate();
    },
  } as const;

  it.each(['window', 'worker'] as const)(
    'what one tab chooses, another sees at once, and neither undoes the other (%s)',
    async (kind) => {
      const database = crypto.randomUUID();
      const channel = new BroadcastChannel(prefix + database);
      const heard: Notifications[] = [];
      channel.addEventListener('message', ({ data }: MessageEvent<Notifications>) => heard.push(data));
      const end = kinds[kind](prefix + database);
      const driver = indexeddbStorage({ database });
      const settings = await openSettings(createRecords(driver), 'p', { delayMs: 20 });
      const states = ({ current }: SettingsStore): boolean[] =>
        [search, clock].map((tool) => isEnabled(current(), tool));
      const told: boolean[][] = [];
      const leave = settings.subscribe(() => told.push(states(settings)));
      try {
        await expect.poll(() => heard).toEqual(['ready']);
        settings.change((current) => withEnabled(current, clock, false));
        expect(told).toEqual([[true, false]]);
        await expect.poll(() => heard).toContain('seen');
        channel.postMessage('store');
        await expect.poll(() => told).toContainEqual([false, false]);
        await expect.poll(() => heard).toContain('stored');
        expect(states(await openSettings(createRecords(driver), 'p'))).toEqual([false, false]);
      } finally {
        leave();
        end();
        channel.close();
        await driver.close();
        await deleteDB(database);
      }
    },
  );

  it('sets a damaged record aside, and works on', async () => {
    const database = crypto.randomUUID();
    const driver = indexeddbStorage({ database });
    const content = new TextEncoder().encode('{"version": 1, "too');
    await driver.commit({
      expect: [],
      changes: [
        { type: 'make-directory', tree: 'records', path: '/settings' },
        { type: 'write', tree: 'records', path: '/settings/p.json', content },
      ],
      time: 0,
    });
    const settings = await openSettings(createRecords(driver), 'p');
    expect(settings.problem).toMatchObject({ code: 'record_corrupt' });
    await settings.update((current) => withEnabled(current, clock, false));
    const stored = await driver.list({ tree: 'records', path: '/settings', depth: 1, limit: 9 });
    const aside = stored.find(({ path }) => path.includes('.corrupt-'));
    expect(stored).toHaveLength(2);
    expect((await driver.read({ tree: 'records', path: aside?.path ?? '' }))?.content).toEqual(content);
    expect(isEnabled((await openSettings(createRecords(driver), 'p')).current(), clock)).toBe(false);
    await driver.close();
    await deleteDB(database);
  });
}
