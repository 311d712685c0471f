import { isUtensilError, messageOf, UtensilError } from '../base/errors.ts';
import type { ErrorDetails } from '../base/errors.ts';
import type { StorageEntry, StorageDriver } from '../files/storage/driver.ts';
import { decodeText, encoder } from '../base/text-encoding.ts';
import type { Json } from '../base/json.ts';
import { recordFile } from '../files/record-key.ts';
import type { RecordKey } from '../files/record-key.ts';
import { recordText } from './entry-batch.ts';

/** A stored record. */
export interface StoredRecord<Value extends Json = Json> {
  readonly key: RecordKey;
  readonly value: Value;
  /**
   * Differs whenever the value does. A value stored again may get its old etag back (in a directory, the etag is a hash
   * of the content), so comparing etags does not detect A–B–A. If that matters, keep a counter in the value.
   */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** A record that cannot be read. It is left unchanged. */
export interface CorruptRecord {
  readonly key: RecordKey;
  /** Has the code `record_corrupt`. */
  readonly problem: UtensilError;
  /** Content of its file, if the storage could read it. */
  readonly content?: Uint8Array;
}

/** The tree of records. */
export const tree = 'records';

/** A record's file, as a storage returns it. */
export interface RecordContent {
  readonly entry: StorageEntry;
  readonly content: Uint8Array;
}

/** Parses a record's file. Throws `record_corrupt`. */
export function toRecord(key: RecordKey, { entry: { etag, modifiedAt }, content }: RecordContent): StoredRecord {
  return { key, value: parse(key, content), etag, modifiedAt };
}

/** Reads a record's file. Throws `record_corrupt` if the storage knows that it is damaged. */
export async function readStored(driver: StorageDriver, key: RecordKey): Promise<RecordContent | undefined> {
  try {
    return await driver.read({ tree, path: recordFile(key) });
  } catch (cause) {
    throw isUtensilError(cause, 'content_damaged') ? corrupt(key, 'is damaged: its content is lost', cause) : cause;
  }
}

/** A record, or the reason why it cannot be read; undefined if it does not exist. */
export async function tryToRead(
  driver: StorageDriver,
  key: RecordKey,
): Promise<StoredRecord | CorruptRecord | undefined> {
  let found: RecordContent | undefined;
  try {
    found = await readStored(driver, key);
    return found && toRecord(key, found);
  } catch (error) {
    if (isUtensilError(error, 'record_corrupt'))
      return { key, problem: error, ...(found && { content: found.content }) };
    throw error;
  }
}

function parse(key: RecordKey, content: Uint8Array): Json {
  try {
    return JSON.parse(decodeText(content)?.text ?? '') as Json;
  } catch (cause) {
    throw corrupt(key, `is not JSON (${messageOf(cause)})`, cause);
  }
}

function corrupt(key: RecordKey, state: string, cause: unknown): UtensilError {
  return corruptRecord(key, `${state}. It was left unchanged: repair it, or move it away.`, { cause });
}

/** The error about a record that cannot be read. */
export function corruptRecord(key: RecordKey, state: string, details?: ErrorDetails): UtensilError {
  return new UtensilError('record_corrupt', `record_corrupt: the record '${key.join('/')}' ${state}`, details);
}

/** The content of a record's file. */
export function encodeRecord(value: Json): Uint8Array {
  return encoder.encode(`${recordText(value)}\n`);
}
