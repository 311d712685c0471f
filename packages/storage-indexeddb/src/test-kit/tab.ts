// A tab, window, frame or worker that tests open: it executes tasks and reports. In their own page it does nothing.

import { createFiles, createRecords, isUtensilError, messageOf, openThread } from '@utensil/core';
import type { Thread } from '@utensil/core';
import type { StorageChange, StorageDriver } from '@utensil/core/storage';
import { createConnection } from '../connection.ts';
import { indexeddbStorage, storageOn } from '../indexeddb.ts';
import { steps } from '../schema.ts';
import { tabHolder } from '../tab-holder.ts';
import type { Step } from '../schema.ts';

/** Task for another tab, or `hello`, which it answers with `ready`. */
export interface Task {
  readonly name: string;
  readonly database: string;
}

/** Report of a tab: done, with an error message if it failed, or in progress. */
export interface Report {
  readonly event: 'ready' | 'done' | 'begun' | 'made' | 'heard';
  readonly value?: string | number | undefined;
}

/** Beginning of their names. */
export const prefix = 'utensil tab ';
const ownName = (globalThis as { readonly name?: string }).name ?? '';
const next: readonly Step[] = [...steps, (db) => void db.createObjectStore('later' as never)];
export const openNext = (database: string): StorageDriver => storageOn(createConnection(database, { steps: next }), '');

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

export const threadIn = (database: string, driver = indexeddbStorage({ database })): Thread =>
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

if (ownName.startsWith(prefix)) serve(new BroadcastChannel(ownName));

function serve(channel: BroadcastChannel): void {
  const tell = (report: Report): void => channel.postMessage(report);
  channel.addEventListener('message', ({ data: { name, database } }: MessageEvent<Task>) => {
    if (name === 'hello') return tell({ event: 'ready' });
    const working = tasks[name]?.(database, tell) ?? Promise.reject(new Error(`There is no task '${name}'.`));
    working.then(
      () => tell({ event: 'done' }),
      (error: unknown) => tell({ event: 'done', value: messageOf(error) }),
    );
  });
  void navigator.locks.request(ownName, () => new Promise(() => {})); // until it ends
}
