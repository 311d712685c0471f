import { isUtensilError } from '../base/errors.ts';
import type { UtensilError } from '../base/errors.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { StoredRecord } from './content.ts';
import type { RecordStore } from './records.ts';

type Warn = ((problem: UtensilError) => void) | undefined;

/** Reads a record that nothing depends on. An unreadable one is set aside, so that it blocks nobody. */
export async function usableRecord(
  records: RecordStore,
  key: RecordKey,
  warn?: Warn,
): Promise<StoredRecord | undefined> {
  const found = await readOrTell(records, key, warn);
  return found === 'damaged' ? setAside(records, key) : found;
}

/** The same for readers: if the record cannot be set aside, it is left in place. */
export async function readableRecord(
  records: RecordStore,
  key: RecordKey,
  warn?: Warn,
): Promise<StoredRecord | 'put-aside' | 'left' | undefined> {
  const found = await readOrTell(records, key, warn);
  if (found !== 'damaged') return found;
  return setAside(records, key).then(
    (written) => written ?? 'put-aside',
    () => 'left',
  );
}

/** Sets a damaged record aside; returns the one that another program has written in its place meanwhile. */
async function setAside(records: RecordStore, key: RecordKey): Promise<StoredRecord | undefined> {
  const name = await records.setAside(key);
  return name === undefined ? records.get(key) : undefined;
}

async function readOrTell(
  records: RecordStore,
  key: RecordKey,
  warn: Warn,
): Promise<StoredRecord | 'damaged' | undefined> {
  try {
    return await records.get(key);
  } catch (error) {
    if (!isUtensilError(error, 'record_corrupt')) throw error;
    warn?.(error);
    return 'damaged';
  }
}
