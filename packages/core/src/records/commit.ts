import { UtensilError } from '../base/errors.ts';
import type { Queue } from '../files/queue.ts';
import { isWithin } from '../files/paths.ts';
import { retry } from '../files/retry.ts';
import type { Store } from '../files/transaction.ts';
import type { Json } from '../base/json.ts';
import { encodeRecord, readStored, toRecord } from './content.ts';
import type { StoredRecord } from './content.ts';
import { logKey, logNumber, recordDirectory, recordFile } from '../files/record-key.ts';
import type { RecordKey } from '../files/record-key.ts';
import { createLogNumbers } from './log.ts';
import { lookUp, planCommit } from './plan.ts';
import type { Edit, Expected, NewRecord } from './plan.ts';

/** A change in a {@link RecordStore.commit}. */
export type RecordChange =
  /** Stores a record. An unreadable one is not overwritten: the commit throws `record_corrupt`. */
  | { readonly type: 'put'; readonly key: RecordKey; readonly value: Json }
  /** Appends a record below a key, under the next number, from 1. */
  | { readonly type: 'append'; readonly log: RecordKey; readonly value: Json }
  /** Removes a record if it exists; with `recursive`, also everything below its key. */
  | { readonly type: 'remove'; readonly key: RecordKey; readonly recursive?: boolean };

/** Condition of a commit: the record has this etag, or is absent (`null`). */
export interface RecordExpectation {
  readonly key: RecordKey;
  readonly etag: string | null;
}

/** Conditions and durability of a {@link RecordStore.commit}. */
export interface RecordCommitOptions {
  /** Preconditions, checked before the first change. May include records that the commit does not change. */
  readonly expect?: readonly RecordExpectation[];
  /** True to wait until the commit survives a loss of power. Default: as the storage is configured. */
  readonly durable?: boolean;
}

/**
 * Result of a commit: the records put and appended, in the order of the changes; or the key of the first failed
 * expectation, with the record found there.
 */
export type RecordCommitResult =
  | { readonly ok: true; readonly records: readonly StoredRecord[] }
  | { readonly ok: false; readonly conflict: RecordKey; readonly record: StoredRecord | undefined };

type CommitRecords = (changes: readonly RecordChange[], options?: RecordCommitOptions) => Promise<RecordCommitResult>;

/**
 * Creates the only writer of a store. After a conflict, the commit is planned again if every expectation still holds;
 * otherwise the failed expectation is the result.
 */
export function createCommit(store: Store, inOrder: Queue): CommitRecords {
  const { driver, now } = store;
  const logs = createLogNumbers(driver);

  async function numberAll(edits: readonly Edit[]): Promise<ReadonlyMap<string, number>> {
    const directories = new Set(edits.flatMap((edit) => (edit.type === 'append' ? edit.path : [])));
    const lasts = [...directories].map(async (path) => [path, await logs.last(path)] as const);
    return new Map(await Promise.all(lasts));
  }

  function remember(edits: readonly Edit[], written: readonly NewRecord[]): void {
    if (edits.some(({ type, directory }) => type === 'remove' && directory !== undefined)) logs.forget();
    for (const { log, key } of written) if (log !== undefined) logs.keep(log, logNumber(key) ?? 0);
  }

  return async (changes, { expect = [], durable = false } = {}) => {
    const edits = changes.map(toEdit);
    refuseOverlap(edits);
    const expected = expect.map(({ key, etag }) => ({ key, etag, path: recordFile(key) }));
    const paths = edits.map(({ path }) => path);
    const attempt = async () => {
      const [lasts, found] = await Promise.all([numberAll(edits), lookUp(driver, edits, expected)]);
      const failed = expected.find(({ path, etag }) => found.etagAt(path) !== etag);
      if (failed !== undefined) return explain(store, failed);
      const written = newRecords(edits, lasts);
      // Another writer has taken a number, and the caller expects the record with that number.
      if (written.some(({ log, path }) => log !== undefined && found.entryAt(path) !== undefined)) return undefined;
      const plan = planCommit({ edits, expected, written, durable }, found);
      if (plan.isDone) return { result: { ok: true, records: plan.records([]) } } as const;
      const committed = await driver.commit({ ...plan.commit, time: now(), ...(durable && { durable }) });
      if (!committed.ok) return committed;
      remember(edits, written);
      return { result: { ok: true, records: plan.records(committed.entries) } } as const;
    };
    const [about = expected[0]?.path ?? '/'] = paths;
    return inOrder(paths, () => retry<RecordCommitResult>(about, attempt));
  };
}

/**
 * The record that fails an expectation; undefined if the expectation holds again, so that the commit can be retried.
 */
async function explain({ driver }: Store, { key, etag }: Expected) {
  const found = await readStored(driver, key);
  if ((found?.entry.etag ?? null) === etag) return undefined;
  return { result: { ok: false, conflict: key, record: found && toRecord(key, found) } } as const;
}

function toEdit(change: RecordChange): Edit {
  switch (change.type) {
    case 'put':
      return { ...change, path: recordFile(change.key), content: encodeRecord(change.value) };
    case 'append':
      return { ...change, path: recordDirectory(change.log), content: encodeRecord(change.value) };
    case 'remove': {
      const { type, key, recursive = false } = change;
      return { type, key, path: recordFile(key), ...(recursive && { directory: recordDirectory(key) }) };
    }
  }
}

/** The records that a commit writes; appended ones with their numbers. */
function newRecords(edits: readonly Edit[], lasts: ReadonlyMap<string, number>): readonly NewRecord[] {
  const numbers = new Map(lasts);
  return edits.flatMap((edit): readonly NewRecord[] => {
    if (edit.type === 'remove') return [];
    const { value, content, path } = edit;
    if (edit.type === 'put') return [{ key: edit.key, value, content, path }];
    const number = (numbers.get(path) ?? 0) + 1;
    numbers.set(path, number);
    const key = logKey(edit.log, number);
    return [{ key, value, content, path: recordFile(key), log: path }];
  });
}

/** Changes are independent of each other, so their order matters only for the numbers in a log. */
function refuseOverlap(edits: readonly Edit[]): void {
  const changed = new Set<string>();
  const logs = new Set(edits.flatMap(({ type, path }) => (type === 'append' ? path : [])));
  const removed = edits.filter(({ directory }) => directory !== undefined);
  for (const edit of edits) {
    const isBelow = removed.some(({ directory = '' }) => isWithin(directory, edit.path));
    if (isBelow || changed.has(edit.path) || isNumbered(edit, logs)) throw overlaps(edit);
    if (edit.type !== 'append') changed.add(edit.path);
  }
}

/** True if a record is put under a number of a log that the same commit appends to. */
function isNumbered(edit: Edit, logs: ReadonlySet<string>): boolean {
  if (edit.type !== 'put' || logNumber(edit.key) === undefined) return false;
  return logs.has(recordDirectory(edit.key.slice(0, -1)));
}

function overlaps(edit: Edit): UtensilError {
  const about = `'${(edit.type === 'append' ? edit.log : edit.key).join('/')}'`;
  const rule = 'A commit changes each record once, and none that it also removes or numbers by another change';
  return new UtensilError('EINVAL', `EINVAL: invalid argument, ${about}. ${rule}: commit one after the other.`);
}
