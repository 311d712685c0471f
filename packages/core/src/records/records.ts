import { fileError } from '../files/file-error.ts';
import { isWithin } from '../files/paths.ts';
import type { EntryKey, StorageDriver } from '../files/storage/driver.ts';
import { createQueue } from '../files/queue.ts';
import { guardDriver, nothingToDo, transact } from '../files/transaction.ts';
import type { Store } from '../files/transaction.ts';
import type { Json } from '../base/json.ts';
import { createCommit } from './commit.ts';
import type { RecordChange, RecordCommitOptions, RecordCommitResult } from './commit.ts';
import { readStored, toRecord, tree, tryToRead } from './content.ts';
import type { CorruptRecord, StoredRecord } from './content.ts';
import { logNumber, recordDirectory, recordFile } from '../files/record-key.ts';
import type { RecordKey } from '../files/record-key.ts';
import { listRecords } from './listing.ts';
import type { RecordListOptions } from './listing.ts';
import { lastNumber } from './log.ts';

/**
 * JSON records of an app (settings, threads, journals) in a storage, out of reach of tools. An unreadable record never
 * counts as absent and is never overwritten: until it is set aside, `get`, `put`, `append` and `commit` throw
 * `record_corrupt` at its key.
 */
export interface RecordStore {
  /** Reads a record; undefined if there is none. */
  get(key: RecordKey): Promise<StoredRecord | undefined>;
  /** Stores a record. Throws `ECONFLICT` unless its etag is `ifMatch` (null: it must not exist). */
  put(key: RecordKey, value: Json, options?: PutOptions): Promise<StoredRecord>;
  /**
   * Appends a record below a key, under the next number, from 1, and returns that number. Parallel appends all land, in
   * some order.
   */
  append(log: RecordKey, value: Json, options?: DurableOptions): Promise<number>;
  /**
   * Applies all changes or none. If an expectation fails, nothing is changed, and the result names the first that
   * failed with the record found there. Each record may be changed once. Conflicts that no expectation is about, such
   * as another append to the same log, are retried; `ECONFLICT` is thrown only if they never end.
   *
   * @example
   * ```ts
   * import { createRecords } from '@utensil/core';
   * import { logKey } from '@utensil/core/storage';
   * import { memoryStorage } from '@utensil/storage-memory';
   *
   * const records = createRecords(memoryStorage());
   * const owner = await records.put(['thread', 'owner'], { fence: 1 });
   * const head = await records.put(['thread', 'head'], { last: 0 });
   * const result = await records.commit(
   *   [
   *     { type: 'put', key: head.key, value: { last: 2 } },
   *     { type: 'put', key: logKey(['thread', 'log'], 1), value: 'question' },
   *     { type: 'put', key: logKey(['thread', 'log'], 2), value: 'answer' },
   *   ],
   *   { expect: [owner, head] },
   * );
   * if (!result.ok) throw new Error(`${result.conflict.join('/')} is now ${JSON.stringify(result.record?.value)}`);
   * ```
   */
  commit(changes: readonly RecordChange[], options?: RecordCommitOptions): Promise<RecordCommitResult>;
  /** Lists records whose key is this and one more id, in a stable order; records of a log in numeric order. */
  list(prefix: RecordKey, options?: RecordListOptions): AsyncIterable<StoredRecord | CorruptRecord>;
  /**
   * Last number of a log, found without listing all of it; 0 if the log is empty. A record that was set aside keeps its
   * number.
   */
  last(log: RecordKey): Promise<number>;
  /** Removes a record if it exists; with `recursive`, also everything below its key. */
  remove(key: RecordKey, options?: { readonly recursive?: boolean }): Promise<void>;
  /**
   * Sets a damaged record aside under a returned name, for inspection; it no longer counts as a record. A readable one
   * stays if it passes the test `unless`, because someone may have repaired it meanwhile. Default: each passes.
   */
  setAside(key: RecordKey, options?: SetAsideOptions): Promise<string | undefined>;
  /**
   * Calls the listener after changes to the record, or to those below its key, by any writer: other tabs, and other
   * processes if the storage detects them; possibly more than once. Returns a function that stops it.
   */
  watch(key: RecordKey, listener: () => void): () => void;
}

interface DurableOptions {
  /** True to wait until the change survives a loss of power. Default: as the storage is configured. */
  readonly durable?: boolean;
}

interface SetAsideOptions {
  readonly unless?: (record: StoredRecord) => boolean;
}

interface PutOptions extends DurableOptions {
  readonly ifMatch?: string | null;
}

/** Options of {@link createRecords}. */
export interface RecordsOptions {
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Creates the records of an app over a storage.
 *
 * @example
 * ```ts
 * import { createRecords } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const records = createRecords(memoryStorage());
 * await records.put(['settings', 'default'], { version: 1 });
 * await records.append(['threads', 'a', 'events'], { type: 'run-start' }); // 1
 * console.log((await records.get(['settings', 'default']))?.value); // { version: 1 }
 * ```
 */
export function createRecords(storage: StorageDriver, { now = Date.now }: RecordsOptions = {}): RecordStore {
  const store = { driver: guardDriver(storage), now };
  const inOrder = createQueue();
  const commit = createCommit(store, inOrder);

  /** Commits a change that writes one record. */
  async function write(change: RecordChange, options: RecordCommitOptions): Promise<StoredRecord> {
    const result = await commit([change], options);
    const [record] = result.ok ? result.records : [];
    if (record === undefined) throw changed(change);
    return record;
  }

  return {
    async get(key) {
      const found = await readStored(store.driver, key);
      return found && toRecord(key, found);
    },
    put(key, value, { ifMatch, durable = false } = {}) {
      const expect = ifMatch === undefined ? [] : [{ key, etag: ifMatch }];
      return write({ type: 'put', key, value }, { expect, durable });
    },
    async append(log, value, options = {}) {
      const { key } = await write({ type: 'append', log, value }, options);
      return logNumber(key) ?? 0;
    },
    commit,
    list: (prefix, options) => listRecords(store.driver, prefix, options),
    last: async (log) => lastNumber(store.driver, recordDirectory(log)),
    async remove(key, options) {
      await commit([{ type: 'remove', key, ...options }]);
    },
    setAside: async (key, options) => inOrder([recordFile(key)], () => setRecordAside(store, key, options)),
    watch(key, listener) {
      const [file, directory] = [recordFile(key), recordDirectory(key)];
      const onChange = (changed: readonly EntryKey[]): void => {
        const paths = changed.filter((each) => each.tree === tree).map(({ path }) => path);
        if (paths.some((path) => isWithin(path, file) || isWithin(directory, path))) listener();
      };
      return store.driver.watch(onChange, { tree });
    },
  };
}

function changed(change: RecordChange): Error {
  const path = change.type === 'append' ? recordDirectory(change.log) : recordFile(change.key);
  return fileError('ECONFLICT', path, { hint: 'Somebody else changed this record: read it again, then decide.' });
}

async function setRecordAside(
  store: Store,
  key: RecordKey,
  { unless = () => true }: SetAsideOptions = {},
): Promise<string | undefined> {
  const path = recordFile(key);
  return transact<string | undefined>(store, path, async () => {
    const [entry] = await store.driver.stat([{ tree, path }]); // damaged records are read without their entry
    const record = await tryToRead(store.driver, key);
    if (entry === undefined || record === undefined) return nothingToDo(undefined);
    if ('value' in record && unless(record)) return nothingToDo(undefined);
    for (let attempt = 0; ; attempt++) {
      const to = `${recordDirectory(key)}.corrupt-${store.now()}${attempt === 0 ? '' : `-${attempt}`}`;
      const [target] = await store.driver.stat([{ tree, path: to }]);
      if (target !== undefined) continue;
      const expect = [
        { tree, path, etag: entry.etag },
        { tree, path: to, etag: null },
      ] as const;
      return { expect, changes: [{ type: 'move', tree, path, to: { tree, path: to } }], result: () => to.slice(1) };
    }
  });
}
