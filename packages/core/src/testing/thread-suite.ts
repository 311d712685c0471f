import type { StorageDriver } from '../files/storage/driver.ts';
import { createRecords } from '../records/records.ts';
import { openThread } from '../thread/open-thread.ts';
import type { ThreadOptions } from '../thread/open-thread.ts';
import type { Thread } from '../thread/thread.ts';
import { assert } from './assert.ts';
import type { Test } from './assert.ts';
import type { StorageBackend } from './storage-suite.ts';
import { threadClaimCases } from './thread-claim-cases.ts';
import { testClock } from './thread-kit.ts';
import type { ThreadCase } from './thread-kit.ts';
import { threadLogCases } from './thread-log-cases.ts';

const cases = { ...threadLogCases, ...threadClaimCases };

/** Name of a test of {@link threadSuite}. */
export type ThreadCaseName = keyof typeof cases;

/** The names of the tests that {@link threadSuite} registers. */
export const threadCases = Object.keys(cases) as readonly ThreadCaseName[];

/** Options of {@link threadSuite}. */
export interface ThreadSuiteOptions {
  /** Cases to skip, each with a reason in a sentence. */
  readonly skip?: Partial<Record<ThreadCaseName, string>>;
  /** Opens the thread under test. Default: core's {@link openThread} over {@link createRecords}. */
  readonly openThread?: (driver: StorageDriver, id: string, options: ThreadOptions) => Thread;
}

/**
 * Registers the tests that a thread must pass on every storage: pages, conditional appends of several writers, drafts,
 * and claims.
 *
 * @example
 * ```ts no-run
 * import { threadSuite } from '@utensil/core/testing';
 * import { memoryState, memoryStorage } from '@utensil/storage-memory';
 * import { test } from 'vitest';
 *
 * threadSuite({ test }, () => {
 *   const state = memoryState();
 *   return { open: async (namespace) => memoryStorage({ state, namespace }), destroy: async () => {} };
 * });
 * ```
 */
export function threadSuite(
  { test }: { readonly test: Test },
  make: () => StorageBackend | Promise<StorageBackend>,
  options: ThreadSuiteOptions = {},
): void {
  const { skip = {}, openThread: open = inRecords } = options;
  for (const [name, reason] of Object.entries(skip)) {
    assert(name in cases, `threadSuite has no test '${name}' to skip.`);
    assert(reason.trim().split(/\s+/).length >= 3, `Say in a sentence why '${name}' is skipped.`);
  }
  for (const name of threadCases.filter((each) => skip[each] === undefined)) {
    test(name, async () => runCase(cases[name], await make(), open));
  }
}

const inRecords: NonNullable<ThreadSuiteOptions['openThread']> = (driver, id, options) =>
  openThread(createRecords(driver), id, options);

async function runCase(
  body: ThreadCase,
  backend: StorageBackend,
  open: NonNullable<ThreadSuiteOptions['openThread']>,
): Promise<void> {
  const drivers: StorageDriver[] = [];
  try {
    await body(async (id = 'thread') => {
      const driver = await backend.open('main');
      drivers.push(driver);
      const clock = testClock();
      return { driver, clock, thread: open(driver, id, { clock }) };
    });
  } finally {
    await Promise.all(drivers.map((driver) => driver.close()));
    await backend.destroy();
  }
}
