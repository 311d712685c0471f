import type { StorageDriver } from '../files/storage/driver.ts';
import { createRecords } from '../records/records.ts';
import type { RecordStore } from '../records/records.ts';
import { assert } from './assert.ts';
import type { Test } from './assert.ts';
import { recordClaimCases } from './record-claim-cases.ts';
import { recordCommitCases } from './record-commit-cases.ts';
import { counting } from './record-kit.ts';
import type { RecordCase } from './record-kit.ts';
import { recordListCases } from './record-list-cases.ts';
import { recordModelCases } from './record-model-cases.ts';
import type { StorageBackend } from './storage-suite.ts';

const cases = { ...recordListCases, ...recordCommitCases, ...recordClaimCases, ...recordModelCases };

/** Name of a test of {@link recordSuite}. */
export type RecordCaseName = keyof typeof cases;

/** The names of the tests that {@link recordSuite} registers. */
export const recordCases = Object.keys(cases) as readonly RecordCaseName[];

/** Options of {@link recordSuite}. */
export interface RecordSuiteOptions {
  /** Cases to skip, each with a reason in a sentence. */
  readonly skip?: Partial<Record<RecordCaseName, string>>;
  /** Creates the store under test. Default: {@link createRecords} of core. */
  readonly createRecords?: (driver: StorageDriver) => RecordStore;
}

/**
 * Registers the tests that records must pass on every storage: commits with expectations, logs with several writers,
 * and pages of long listings.
 *
 * @example
 * ```ts no-run
 * import { recordSuite } from '@utensil/core/testing';
 * import { memoryState, memoryStorage } from '@utensil/storage-memory';
 * import { test } from 'vitest';
 *
 * recordSuite({ test }, () => {
 *   const state = memoryState();
 *   return { open: async (namespace) => memoryStorage({ state, namespace }), destroy: async () => {} };
 * });
 * ```
 */
export function recordSuite(
  { test }: { readonly test: Test },
  make: () => StorageBackend | Promise<StorageBackend>,
  options: RecordSuiteOptions = {},
): void {
  const { skip = {}, createRecords: create = createRecords } = options;
  for (const [name, reason] of Object.entries(skip)) {
    assert(name in cases, `recordSuite has no test '${name}' to skip.`);
    assert(reason.trim().split(/\s+/).length >= 3, `Say in a sentence why '${name}' is skipped.`);
  }
  for (const name of recordCases.filter((each) => skip[each] === undefined)) {
    test(name, async () => runCase(cases[name], await make(), create));
  }
}

async function runCase(
  body: RecordCase,
  backend: StorageBackend,
  create: (driver: StorageDriver) => RecordStore,
): Promise<void> {
  const drivers: StorageDriver[] = [];
  try {
    await body(async (namespace = 'main') => {
      const { driver, calls } = counting(await backend.open(namespace));
      drivers.push(driver);
      return { driver, calls, records: create(driver) };
    });
  } finally {
    await Promise.all(drivers.map((driver) => driver.close()));
    await backend.destroy();
  }
}
