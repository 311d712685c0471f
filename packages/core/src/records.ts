import { messageOf, UtensilError } from './errors.ts';
import type { Entry, StorageDriver } from './files/driver.ts';
import { fileError } from './files/file-error.ts';
import { createQueue } from './files/queue.ts';
import { isWithin } from './files/paths.ts';
import { entriesBelow } from './files/reading.ts';
import { decodeText, equalBytes } from './files/text.ts';
import { guardDriver, locate, nothingToDo, settle, transact } from './files/transaction.ts';
import type { Store } from './files/transaction.ts';
import type { Json } from './json.ts';
import { isContinued, recordDirectory, recordFile, recordKeyOf } from './record-key.ts';
import type { RecordKey } from './record-key.ts';

/** A record as it is stored. */
export interface StoredRecord<Value extends Json = Json> {
  readonly key: RecordKey;
  readonly value: Value;
  /** Differs whenever the value does. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** A record that cannot be read. It is left as it is. */
export interface CorruptRecord {
  readonly key: RecordKey;
  /** Of code `record_corrupt`. */
  readonly problem: UtensilError;
}

/**
 * JSON records of an app (settings, threads, journals) in a storage, where no tool reaches them. A record that cannot
 * be read is never taken for an absent one and never overwritten: until it is set aside, `get`, `put` and `append` at
 * its key throw `record_corrupt`.
 */
export interface RecordStore {
  /** The record; undefined where there is none. */
  get(key: RecordKey): Promise<StoredRecord | undefined>;
  /** Stores a record. Throws `ECONFLICT` unless it has the etag `ifMatch` (null: is absent), where that is given. */
  put(key: RecordKey, value: Json, options?: PutOptions): Promise<StoredRecord>;
  /** Adds a record below a key, under the next number from 1, and gives that number. Parallel ones all land, in some order. */
  append(log: RecordKey, value: Json, options?: DurableOptions): Promise<number>;
  /** The records whose key is this and one id more, in a stable order: of a log, as they were appended. */
  list(prefix: RecordKey): AsyncIterable<StoredRecord | CorruptRecord>;
  /** Removes a record, if it is there, and with `recursive` all below its key. */
  remove(key: RecordKey, options?: { readonly recursive?: boolean }): Promise<void>;
  /**
   * Puts a record out of the way under a name that it gives, for a person to look at; it no longer counts as one. With
   * `unless`, one that can be read and of which that is true stays: somebody else may have mended it meanwhile.
   */
  setAside(key: RecordKey, options?: SetAsideOptions): Promise<string | undefined>;
  /**
   * Calls the listener after changes of the record, or of those below its key, by whomever: other tabs, and other
   * processes where the storage sees them; perhaps more than once. Until the returned function is called.
   */
  watch(key: RecordKey, listener: () => void): () => void;
}

interface DurableOptions {
  /** Whether it is over only when a loss of power can no longer undo it; by default as the storage is set. */
  readonly durable?: boolean;
}

interface SetAsideOptions {
  readonly unless?: (record: StoredRecord) => boolean;
}

interface PutOptions extends DurableOptions {
  readonly ifMatch?: string | null;
}

/** What {@link createRecords} may be told. */
export interface RecordsOptions {
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
}

const tree = 'records';

/**
 * The records of an app over a storage.
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
  return {
    async get(key) {
      const found = await store.driver.read({ tree, path: recordFile(key) });
      return found && toRecord(key, found);
    },
    async put(key, value, options = {}) {
      const content = encode(value);
      return inOrder([recordFile(key)], () => putRecord(store, key, { value, content, ...options }));
    },
    append: appender(store),
    async *list(prefix) {
      for await (const keys of inBatches(keysBelow(store.driver, recordDirectory(prefix)))) {
        const found = await Promise.all(keys.map((key) => store.driver.read({ tree, path: recordFile(key) })));
        for (const [index, key] of keys.entries()) {
          const stored = found[index];
          if (stored !== undefined) yield tryToRecord(key, stored);
        }
      }
    },
    async remove(key, { recursive = false } = {}) {
      await inOrder([recordFile(key)], () => removeRecord(store, key, recursive));
    },
    setAside: async (key, options) => inOrder([recordFile(key)], () => setRecordAside(store, key, options)),
    watch(key, listener) {
      const [file, directory] = [recordFile(key), recordDirectory(key)];
      return store.driver.watch((changed) => {
        const paths = changed.filter((each) => each.tree === tree).map(({ path }) => path);
        if (paths.some((path) => isWithin(path, file) || isWithin(directory, path))) listener();
      });
    },
  };
}

interface Stored {
  readonly entry: Entry;
  readonly content: Uint8Array;
}

function toRecord(key: RecordKey, { entry: { etag, modifiedAt }, content }: Stored): StoredRecord {
  return { key, value: parse(key, content), etag, modifiedAt };
}

function tryToRecord(key: RecordKey, stored: Stored): StoredRecord | CorruptRecord {
  try {
    return toRecord(key, stored);
  } catch (error) {
    if (error instanceof UtensilError) return { key, problem: error };
    throw error;
  }
}

function parse(key: RecordKey, content: Uint8Array): Json {
  try {
    return JSON.parse(decodeText(content)?.text ?? '') as Json;
  } catch (cause) {
    const happened = `record_corrupt: the record '${key.join('/')}' is not JSON (${messageOf(cause)})`;
    throw new UtensilError('record_corrupt', `${happened}. It was left as it is: mend it, or set it aside.`, { cause });
  }
}

function encode(value: Json): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`);
}

interface NewRecord extends PutOptions {
  readonly value: Json;
  readonly content: Uint8Array;
}

async function putRecord(store: Store, key: RecordKey, record: NewRecord): Promise<StoredRecord> {
  const { value, content, ifMatch, durable = false } = record;
  const path = recordFile(key);
  return transact({ ...store, durable }, path, async () => {
    const [location, present] = await Promise.all([
      locate(store.driver, tree, path),
      store.driver.read({ tree, path }),
    ]);
    const before = present && toRecord(key, present);
    if (ifMatch !== undefined && (before?.etag ?? null) !== ifMatch) throw changed(path);
    // What is there already may still be lost, so who wants it to be durable has it written once more.
    const isThere = present !== undefined && equalBytes(present.content, content);
    if (isThere && before !== undefined && !durable) return nothingToDo(before);
    const { expect, changes } = settle(tree, path, { ...location, entry: present?.entry });
    return {
      expect,
      changes: [...changes, { type: 'write', tree, path, content }],
      result: (entries) => ({ key, value, ...versionOf(entries, path) }),
    };
  });
}

function changed(path: string): UtensilError {
  return fileError('ECONFLICT', path, { hint: 'Somebody else changed this record: read it again, then decide.' });
}

function versionOf(entries: readonly Entry[], path: string): Pick<StoredRecord, 'etag' | 'modifiedAt'> {
  const { etag = '', modifiedAt = 0 } = entries.findLast((entry) => entry.tree === tree && entry.path === path) ?? {};
  return { etag, modifiedAt };
}

/** Remembers the last numbers of the logs it writes to, for as many as an app has open at a time. */
function appender(store: Store): RecordStore['append'] {
  const inOrder = createQueue();
  const lastNumbers = new Map<string, number>();
  return async (log, value, { durable = false } = {}) => {
    const [directory, content] = [recordDirectory(log), encode(value)];
    return inOrder([directory], async () => {
      const appended = await transact({ ...store, durable }, directory, async () => {
        const last = lastNumbers.get(directory) ?? (await lastNumber(store.driver, directory));
        lastNumbers.delete(directory); // to be read again, unless this works out
        const path = recordFile([...log, String(last + 1).padStart(12, '0')]);
        const { expect, changes } = settle(tree, path, {
          ...(await locate(store.driver, tree, path)),
          entry: undefined,
        });
        return { expect, changes: [...changes, { type: 'write', tree, path, content }], result: () => last + 1 };
      });
      if (lastNumbers.size >= 100) lastNumbers.clear();
      lastNumbers.set(directory, appended);
      return appended;
    });
  };
}

async function lastNumber(driver: StorageDriver, directory: string): Promise<number> {
  let last = 0;
  for await (const { path } of entriesBelow(driver, { tree, path: directory }, { depth: 1 })) {
    last = Math.max(last, Number(/\/(\d{12})\.[^/]*$/.exec(path)?.[1] ?? 0));
  }
  return last;
}

async function* keysBelow(driver: StorageDriver, directory: string): AsyncGenerator<RecordKey, void> {
  for await (const { path, kind } of entriesBelow(driver, { tree, path: directory }, { depth: 1 })) {
    if (kind === 'directory' && isContinued(path)) yield* keysBelow(driver, path);
    const key = kind === 'file' ? recordKeyOf(path) : undefined;
    if (key !== undefined) yield key;
  }
}

/** How many records are read at once: a storage that waits for a disk or a network waits once for all of them. */
const batchSize = 64;

async function* inBatches(keys: AsyncIterable<RecordKey>): AsyncGenerator<readonly RecordKey[], void> {
  let batch: RecordKey[] = [];
  for await (const key of keys) {
    if (batch.push(key) < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function removeRecord(store: Store, key: RecordKey, recursive: boolean): Promise<void> {
  const [file, directory] = [recordFile(key), recordDirectory(key)];
  return transact(store, file, async () => {
    const [record, below] = await store.driver.stat([file, directory].map((path) => ({ tree, path })));
    const present = recursive ? [record, below] : [record];
    const changes = present
      .filter((entry) => entry !== undefined)
      .map(({ path }) => ({ type: 'remove', tree, path, recursive }) as const);
    return { expect: [], changes, result: () => undefined };
  });
}

async function setRecordAside(
  store: Store,
  key: RecordKey,
  { unless = () => false }: SetAsideOptions = {},
): Promise<string | undefined> {
  const path = recordFile(key);
  return transact<string | undefined>(store, path, async () => {
    const found = await store.driver.read({ tree, path });
    if (found === undefined) return nothingToDo(undefined);
    const record = tryToRecord(key, found);
    if ('value' in record && unless(record)) return nothingToDo(undefined);
    for (let attempt = 0; ; attempt++) {
      const to = `${recordDirectory(key)}.corrupt-${store.now()}${attempt === 0 ? '' : `-${attempt}`}`;
      const [target] = await store.driver.stat([{ tree, path: to }]);
      if (target !== undefined) continue;
      const expect = [
        { tree, path, etag: found.entry.etag },
        { tree, path: to, etag: null },
      ] as const;
      return { expect, changes: [{ type: 'move', tree, path, to: { tree, path: to } }], result: () => to.slice(1) };
    }
  });
}
