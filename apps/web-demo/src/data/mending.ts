import { isUtensilError, UtensilError } from '@utensil/core';
import type { Json, RecordKey, RecordStore } from '@utensil/core';

/** The value of a record. A damaged one is set aside for a person to look at, and throws `invalid_input` once, with the text `damaged`. */
export async function readOnce(records: RecordStore, key: RecordKey, damaged: string): Promise<Json | undefined> {
  try {
    return (await records.get(key))?.value;
  } catch (cause) {
    if (!isUtensilError(cause, 'record_corrupt')) throw cause;
    await records.setAside(key);
    throw new UtensilError('invalid_input', damaged, { cause });
  }
}
