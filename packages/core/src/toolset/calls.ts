import type { Eventually } from '../base/eventually.ts';
import type { prepareCall, refused } from '../call/prepare.ts';

interface Calls {
  readonly prepareCall: typeof prepareCall;
  readonly refused: typeof refused;
}

let loaded: Calls | undefined;

/** Checks and runs calls. Loaded with the first run or call, and available synchronously afterwards. */
export function calls(): Eventually<Calls> {
  return loaded ?? import('../call/prepare.ts').then(({ prepareCall, refused }) => (loaded = { prepareCall, refused }));
}
