import { isUtensilError, UtensilError } from '@utensil/core';
import type { Json, RecordKey, RecordStore } from '@utensil/core';

/**
 * Value of a record. A damaged record is set aside for inspection, and throws `invalid_input` once, with the text
 * `damaged`.
 */
export async function readOnce(records: RecordStore, key: RecordKey, damaged: string): Promise<Json | undefined> {
  try {
    return (await records.get(key))?.value;
  } catch (cause) {
    if (!isUtensilError(cause, 'record_corrupt')) throw cause;
    await records.setAside(key);
    throw new UtensilError('invalid_input', damaged, { cause });
  }
}
