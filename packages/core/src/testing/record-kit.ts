import type { StorageDriver } from '../files/storage/driver.ts';
import type { RecordChange, RecordCommitOptions } from '../records/commit.ts';
import type { StoredRecord } from '../records/content.ts';
import { recordFile } from '../files/record-key.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { RecordListOptions } from '../records/listing.ts';
import type { RecordStore } from '../records/records.ts';
import { assert } from './assert.ts';
import { commit, to } from './storage-kit.ts';

/** A store opened by a test, with the storage below it. */
export interface OpenRecords {
  readonly records: RecordStore;
  readonly driver: StorageDriver;
  /** Number of calls from the store to the storage so far. */
  readonly calls: DriverCalls;
}

/** A test: opens what it needs, and throws if a guarantee is broken. */
export type RecordCase = (open: (namespace?: string) => Promise<OpenRecords>) => Promise<void>;

/** Counts of calls to a storage. */
export interface DriverCalls {
  reads: number;
  /** Number of calls of `list`. */
  lists: number;
  /** Number of entries that they returned. */
  entries: number;
}

/** Wraps a storage to count its calls. */
export function counting(driver: StorageDriver): { readonly driver: StorageDriver; readonly calls: DriverCalls } {
  const calls = { reads: 0, lists: 0, entries: 0 };
  const counted: StorageDriver = {
    ...driver,
    async list(query) {
      const entries = await driver.list(query);
      calls.lists++;
      calls.entries += entries.length;
      return entries;
    },
    read(key, range) {
      calls.reads++;
      return driver.read(key, range);
    },
  };
  return { driver: counted, calls };
}

/** Commits changes that must succeed; returns the written records. */
export async function make(
  { records }: OpenRecords,
  changes: readonly RecordChange[],
  options: RecordCommitOptions = {},
): Promise<readonly StoredRecord[]> {
  const result = await records.commit(changes, options);
  assert(result.ok, `the commit ${JSON.stringify(changes)} met a conflict: ${JSON.stringify(result)}`);
  return result.records;
}

/** The records of a listing, all of which must be readable. */
export async function listed(
  { records }: OpenRecords,
  prefix: RecordKey,
  options?: RecordListOptions,
): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  for await (const record of records.list(prefix, options)) {
    assert('value' in record, `${record.key.join('/')} cannot be read`);
    found.push(record);
  }
  return found;
}

/** Last ids of listed records. */
export async function idsOf(
  opened: OpenRecords,
  prefix: RecordKey,
  options?: RecordListOptions,
): Promise<readonly string[]> {
  return (await listed(opened, prefix, options)).map(({ key }) => key.at(-1) ?? '');
}

/** Values of listed records. */
export async function valuesOf(
  opened: OpenRecords,
  prefix: RecordKey,
  options?: RecordListOptions,
): Promise<readonly unknown[]> {
  return (await listed(opened, prefix, options)).map(({ value }) => value);
}

/** Damages an existing record. */
export async function damage({ driver }: OpenRecords, key: RecordKey): Promise<void> {
  await commit(driver, to.write(recordFile(key), damaged, 'records'));
}

/** Content of a damaged record. */
export const damaged = '{"version": 1, "to';

/** Changes that append values to a log. */
export function appends(log: RecordKey, values: readonly (string | number)[]): readonly RecordChange[] {
  return values.map((value) => ({ type: 'append', log, value }));
}

/** Integers from one to another, inclusive. */
export function range(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
