import { UtensilError } from '../../base/errors.ts';

/** Runs an asynchronous function at most once: its value is shared, and a failure is forgotten, so that the next call tries again. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return async function known() {
    made ??= make();
    try {
      return await made;
    } catch (error) {
      made = undefined; // a key may be there the next time
      throw error;
    }
  };
}

/** A package that the app installs beside a provider. Without it, an error says how to install it. */
export async function loadPeer<Package>(name: string, load: () => Promise<Package>): Promise<Package> {
  try {
    return await load();
  } catch (cause) {
    throw new UtensilError('model_failed', `The package ${name} cannot be loaded: npm install ${name}.`, { cause });
  }
}
