import type { StorageChange, EntryKey, StorageDriver } from '@utensil/core/storage';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { testDatabase, write } from './test-kit/database.ts';
import type { TestDatabase } from './test-kit/database.ts';

let own: TestDatabase;
let database: string;

beforeEach(() => {
  own = testDatabase();
  database = own.name;
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await own.end();
});

const open = (namespace = ''): StorageDriver => own.open({ namespace });
const at = (path: string, tree: EntryKey['tree'] = 'files'): EntryKey => ({ tree, path });
const commit = (driver: StorageDriver, ...changes: readonly StorageChange[]) =>
  driver.commit({ expect: [], changes, time: 0 });

/** Notifications of a driver, one array per notification. */
function listenTo(driver: StorageDriver): EntryKey[][] {
  const told: EntryKey[][] = [];
  driver.watch((changed) => told.push([...changed]));
  return told;
}

const channelName = (namespace = ''): string => `@utensil/storage-indexeddb ${JSON.stringify([database, namespace])}`;

/** Resolves once a driver has received all messages posted so far. */
async function settle(driver: StorageDriver): Promise<void> {
  const channel = new BroadcastChannel(channelName());
  await new Promise<void>((resolve) => {
    const end = driver.watch((changed) => {
      if (!changed.some(({ path }) => path === '/settled')) return;
      end();
      resolve();
    });
    channel.postMessage(['records/settled']);
  });
  channel.close();
}

it('reports its own commits before they answer, those of one transaction together', async () => {
  const driver = open();
  const told = listenTo(driver);
  const first = commit(driver, write('/a')).then(() => told.length);
  const refused = commit(driver, write('/missing/b'));
  const second = commit(driver, { ...at('/a'), type: 'move', to: at('/old', 'records') }, write('/a'));
  expect([await first, (await refused).ok, (await second).ok]).toEqual([1, false, true]);
  expect(told).toEqual([[at('/a'), at('/a'), at('/old', 'records'), at('/a')]]);
});

it('tells nobody of what met a conflict or changed nothing', async () => {
  const driver = open();
  const told = listenTo(driver);
  await commit(driver, write('/missing/a'));
  await commit(driver);
  expect(told).toEqual([]);
});

it('tells the others once, in the order of its commits, and nobody of another namespace', async () => {
  const [driver, other, stranger] = [open(), open(), open('another')];
  const [told, strange] = [listenTo(other), listenTo(stranger)];
  for (const path of ['/1', '/2', '/3']) await commit(driver, write(path));
  await settle(other);
  expect(told).toEqual([...['/1', '/2', '/3'].map((path) => [at(path)]), [at('/settled', 'records')]]);
  expect(strange).toEqual([]);
});

it('tells others only the trees where very much was changed', async () => {
  const [driver, other] = [open(), open()];
  const told = listenTo(other);
  const many = Array.from({ length: 1001 }, (_, index) => write(`/${index}`));
  await commit(driver, ...many.slice(0, 1000));
  await commit(driver, ...many);
  await settle(other);
  expect(told.map((keys) => keys.length)).toEqual([1000, 1, 1]);
  expect(told[1]).toEqual([at('/')]);
});

it.each([
  [['files/a'], [at('/a')]],
  [
    ['files/a', 'records/b\n'],
    [at('/a'), at('/b\n', 'records')],
  ],
  ['files/a', undefined],
  [[], undefined],
  [['files/a', 'nothing/b'], undefined],
  [['files'], undefined],
  [['filesa'], undefined],
  [[{ tree: 'files', path: '/a' }], undefined],
  [{ length: 1, 0: 'files/a' }, undefined],
  [null, undefined],
])('takes the message %j for %j', async (message, expected) => {
  const driver = open();
  const told = listenTo(driver);
  const channel = new BroadcastChannel(channelName());
  channel.postMessage(message);
  channel.close();
  await settle(driver);
  expect(told).toEqual([...(expected === undefined ? [] : [expected]), [at('/settled', 'records')]]);
});

it('tells nobody any more who has left, or once it is closed', async () => {
  const [driver, other] = [open(), open()];
  const told: string[] = [];
  const leave = driver.watch(() => told.push('who left'));
  driver.watch(() => told.push('who stays'));
  leave();
  await commit(driver, write('/a'));
  await driver.close();
  await commit(other, write('/b'));
  await settle(other);
  expect(told).toEqual(['who stays']);
});

it('has told the others all when it has been closed', async () => {
  const [driver, other] = [open(), open()];
  const told = listenTo(other);
  const committing = commit(driver, write('/last'));
  await driver.close();
  await committing;
  await expect.poll(() => told).toEqual([[at('/last')]]);
});

it('opens one channel, with the first commit or the first who watches', async () => {
  const Channel = globalThis.BroadcastChannel;
  const opened = vi.fn<(name: string) => BroadcastChannel>(function open(name) {
    return new Channel(name);
  });
  vi.stubGlobal('BroadcastChannel', opened);
  const driver = open();
  await driver.stat([at('/a')]);
  expect(opened.mock.calls).toEqual([]);
  await commit(driver, write('/a'));
  await commit(driver, write('/b'));
  listenTo(driver);
  expect(opened.mock.calls).toEqual([[channelName()]]);
});

it('keeps files, and reports its own changes, if tabs cannot hear each other', async () => {
  vi.stubGlobal('BroadcastChannel', undefined);
  const driver = open();
  const told = listenTo(driver);
  expect((await commit(driver, write('/a'))).ok).toBe(true);
  expect(told).toEqual([[at('/a')]]);
});
