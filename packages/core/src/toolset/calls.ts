import type { Eventually } from '../base/eventually.ts';

type Calls = typeof import('../call/prepare.ts');

let loaded: Calls | undefined;

/** What checks and runs calls. Loaded with the first run or call; from then on it is there at once. */
export function calls(): Eventually<Calls> {
  return loaded ?? import('../call/prepare.ts').then((code) => (loaded = code));
}
