import { isUtensilError } from '../base/errors.ts';
import type { UtensilError } from '../base/errors.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { StoredRecord } from './content.ts';
import type { RecordStore } from './records.ts';

/** Reads a record that nothing depends on. One that cannot be read is put aside, so that it is in nobody's way. */
export async function usableRecord(
  records: RecordStore,
  key: RecordKey,
  warn?: (problem: UtensilError) => void,
): Promise<StoredRecord | undefined> {
  try {
    return await records.get(key);
  } catch (error) {
    if (!isUtensilError(error, 'record_corrupt')) throw error;
    await records.setAside(key);
    warn?.(error);
    return undefined;
  }
}
