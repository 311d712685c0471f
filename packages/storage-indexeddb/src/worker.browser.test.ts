// The same storage in a worker. This file is both sides: Vitest loads it in a page, which starts it as a worker; the
// worker executes tasks and reports.

import { createFiles, isUtensilError, messageOf } from '@utensil/core';
import type { Files } from '@utensil/core';
import { recordSuite, storageSuite } from '@utensil/core/testing';
import type { StorageBackend } from '@utensil/core/testing';
import { deleteDB } from 'idb';
import { indexeddbStorage } from './indexeddb.ts';

/** Tasks of the worker, by name; each returns nothing, or throws. */
const tasks = new Map<string, (database: string) => unknown>();

const make = (): StorageBackend => {
  const database = crypto.randomUUID();
  return {
    open: async (namespace) => indexeddbStorage({ database, namespace }),
    destroy: () => deleteDB(database),
  };
};
storageSuite({ test: (name, body) => tasks.set(name, body) }, make);
recordSuite({ test: (name, body) => tasks.set(name, body) }, make);

const caseNames = [...tasks.keys()];

for (const times of [60, 300]) {
  tasks.set(`increment ${times} times`, async (database) => {
    const driver = indexeddbStorage({ database });
    await increment(createFiles(driver), times);
    await driver.close();
  });
}

tasks.set('say where this is', () => {
  throw new Error(globalThis.constructor.name);
});

/** Adds 1 to a number in a file, so many times; somebody else may do the same. */
async function increment(files: Files, times: number): Promise<void> {
  for (let done = 0; done < times;) {
    const { text, etag } = await files.readText('/number');
    try {
      await files.write('/number', String(Number(text) + 1), { ifMatch: etag });
      done++;
    } catch (error) {
      if (!isUtensilError(error, 'ECONFLICT')) throw error;
    }
  }
}

interface Request {
  readonly task: string;
  readonly database: string;
}

if ('document' in globalThis) await registerTests();
else globalThis.addEventListener('message', ({ data }: MessageEvent<Request>) => void answer(data));

async function answer({ task, database }: Request): Promise<void> {
  try {
    await tasks.get(task)?.(database);
    globalThis.postMessage({ problem: tasks.has(task) ? undefined : `There is no task '${task}'.` });
  } catch (error) {
    globalThis.postMessage({ problem: messageOf(error) });
  }
}

async function registerTests(): Promise<void> {
  const { afterAll, beforeAll, describe, expect, inject, it } = await import('vitest');

  describe('indexeddbStorage in a worker', () => {
    let worker: Worker;
    beforeAll(() => {
      worker = new Worker(new URL('./worker.browser.test.ts', import.meta.url), { type: 'module' });
    });
    afterAll(() => worker.terminate());

    /** Error of a task in the worker. */
    const problemOf = (task: string, database = ''): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const report = ({ data }: MessageEvent<{ readonly problem?: string }>): void => resolve(data.problem);
        worker.addEventListener('message', report, { once: true });
        worker.addEventListener('error', ({ message }) => reject(new Error(`The worker failed: ${message}`)));
        worker.postMessage({ task, database });
      });

    it('is a worker, and reports what goes wrong', async () => {
      expect(await problemOf('say where this is')).toBe('DedicatedWorkerGlobalScope');
      expect(await problemOf('nothing that it knows')).toBe("There is no task 'nothing that it knows'.");
    });

    // Every third: the page itself runs all of them, and `pnpm test:long` both.
    it.each(caseNames.filter((_, index) => inject('isLong') || index % 3 === 0))('%s', async (name) => {
      expect(await problemOf(name)).toBeUndefined();
    });

    it('loses none of the increments that are made there and here at once', async () => {
      const times = inject('isLong') ? 300 : 60;
      const database = crypto.randomUUID();
      const driver = indexeddbStorage({ database });
      const files = createFiles(driver);
      await files.write('/number', '0');
      const [problem] = await Promise.all([problemOf(`increment ${times} times`, database), increment(files, times)]);
      expect(problem).toBeUndefined();
      expect((await files.readText('/number')).text).toBe(String(2 * times));
      await driver.close();
      await deleteDB(database);
    });
  });
}
