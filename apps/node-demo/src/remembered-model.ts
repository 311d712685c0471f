import { isUtensilError, type RecordStore } from '@utensil/core';
import { isModelName } from './model-choice.ts';

const key = ['demo', 'model'];

/** The model last chosen in this folder; undefined if there is none, or it is no longer available. */
export async function rememberedModel(records: RecordStore): Promise<string | undefined> {
  const record = await records.get(key).catch(async (error: unknown) => {
    if (!isUtensilError(error, 'record_corrupt')) throw error;
    const aside = await records.setAside(key);
    return aside === undefined ? records.get(key) : undefined; // another process has written it meanwhile
  });
  const name = record?.value;
  return typeof name === 'string' && isModelName(name) ? name : undefined;
}

/** Stores the choice for the next time. */
export async function rememberModel(records: RecordStore, name: string): Promise<void> {
  await records.put(key, name);
}
