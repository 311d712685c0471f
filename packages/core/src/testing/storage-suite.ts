import type { StorageDriver } from '../files/storage/driver.ts';
import { assert } from './assert.ts';
import type { Test } from './assert.ts';
import { filesCases } from './files-cases.ts';
import { changeCases } from './storage-change-cases.ts';
import { commitCases } from './storage-commit-cases.ts';
import type { StorageCase } from './storage-kit.ts';
import { loadCases } from './storage-load-cases.ts';
import { readingCases } from './storage-reading-cases.ts';

/** A storage under test: any number of drivers on one backend. */
export interface StorageBackend {
  /**
   * Opens a driver. Drivers of one namespace share their content, also after one was closed; those of different
   * namespaces do not.
   */
  open(namespace: string): Promise<StorageDriver>;
  /** Removes everything. All drivers are closed by then. */
  destroy(): Promise<void>;
}

const cases = { ...readingCases, ...commitCases, ...changeCases, ...loadCases, ...filesCases };

/** Name of a test of {@link storageSuite}. */
export type StorageCaseName = keyof typeof cases;

/** The names of the tests that {@link storageSuite} registers. */
export const storageCases = Object.keys(cases) as readonly StorageCaseName[];

/** Options of {@link storageSuite}. */
export interface StorageSuiteOptions {
  /** Tests to skip, each with a reason in a sentence. */
  readonly skip?: Partial<Record<StorageCaseName, string>>;
}

/**
 * Registers the tests that every storage must pass: the guarantees of a driver, and core's files over it. `recordSuite`
 * tests the records over it.
 *
 * @example
 * ```ts no-run
 * import { storageSuite } from '@utensil/core/testing';
 * import { memoryState, memoryStorage } from '@utensil/storage-memory';
 * import { test } from 'vitest';
 *
 * storageSuite({ test }, () => {
 *   const state = memoryState();
 *   return { open: async (namespace) => memoryStorage({ state, namespace }), destroy: async () => {} };
 * });
 * ```
 */
export function storageSuite(
  { test }: { readonly test: Test },
  make: () => StorageBackend | Promise<StorageBackend>,
  { skip = {} }: StorageSuiteOptions = {},
): void {
  for (const [name, reason] of Object.entries(skip)) {
    assert(name in cases, `storageSuite has no test '${name}' to skip.`);
    assert(reason.trim().split(/\s+/).length >= 3, `Say in a sentence why '${name}' is skipped.`);
  }
  for (const name of storageCases.filter((each) => skip[each] === undefined)) {
    test(name, () => runCase(cases[name], make));
  }
}

async function runCase(body: StorageCase, make: () => StorageBackend | Promise<StorageBackend>): Promise<void> {
  const backend = await make();
  const drivers: StorageDriver[] = [];
  try {
    await body(async (namespace = 'main') => {
      const driver = await backend.open(namespace);
      drivers.push(driver);
      return driver;
    });
  } finally {
    await Promise.all(drivers.map((driver) => driver.close()));
    await backend.destroy();
  }
}
