import { isUtensilError, UtensilError } from '@utensil/core';
import { currentTexts } from '../texts/texts.ts';
import type { Json, RecordKey, RecordStore } from '@utensil/core';

/**
 * The value of a record. One that cannot be read is put out of the way, where it stays for a person to look at, and is an
 * error this once: of `invalid_input`, with what has to be done again.
 */
export async function readOnce(
  records: RecordStore,
  key: RecordKey,
  { what, next }: { readonly what: string; readonly next: string },
): Promise<Json | undefined> {
  try {
    return (await records.get(key))?.value;
  } catch (cause) {
    if (!isUtensilError(cause, 'record_corrupt')) throw cause;
    await records.setAside(key);
    const text = currentTexts().problems.damagedRecord(what, next);
    throw new UtensilError('invalid_input', text, { cause });
  }
}
