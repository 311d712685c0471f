import { isUtensilError, UtensilError } from '@utensil/core';
import type { RecordKey, RecordStore, StoredRecord } from '@utensil/core';

/**
 * Reads a record; undefined if there is none. A damaged record is set aside for inspection, and throws `invalid_input`
 * once, with the text `damaged`.
 */
export async function readOnce(
  records: RecordStore,
  key: RecordKey,
  damaged: string,
): Promise<StoredRecord | undefined> {
  try {
    return await records.get(key);
  } catch (cause) {
    if (!isUtensilError(cause, 'record_corrupt')) throw cause;
    if ((await records.setAside(key)) === undefined) return records.get(key); // another tab has written it meanwhile
    throw new UtensilError('invalid_input', damaged, { cause });
  }
}
