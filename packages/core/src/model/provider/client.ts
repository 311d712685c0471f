import { UtensilError } from '../../base/errors.ts';

/** Runs an async function once and shares its value. A failure is not cached, so the next call tries again. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return async function known() {
    made ??= make();
    try {
      return await made;
    } catch (error) {
      made = undefined; // the key may be set by the next call
      throw error;
    }
  };
}

/** Imports an optional peer package of a provider. If it is missing, the error says how to install it. */
export async function loadPeer<Package>(name: string, load: () => Promise<Package>): Promise<Package> {
  try {
    return await load();
  } catch (cause) {
    throw new UtensilError('model_failed', `The package ${name} cannot be loaded: npm install ${name}.`, { cause });
  }
}
