import { isUtensilError, type RecordStore } from '@utensil/core';
import { isModelName } from './model-choice.ts';

const key = ['demo', 'model'];

/** The model last chosen in this folder; undefined if there is none, or it is no longer available. */
export async function rememberedModel(records: RecordStore): Promise<string | undefined> {
  try {
    const name = (await records.get(key))?.value;
    return typeof name === 'string' && isModelName(name) ? name : undefined;
  } catch (error) {
    if (!isUtensilError(error, 'record_corrupt')) throw error;
    await records.setAside(key, { unless: () => true });
    return undefined;
  }
}

/** Stores the choice for the next time. */
export async function rememberModel(records: RecordStore, name: string): Promise<void> {
  await records.put(key, name);
}
