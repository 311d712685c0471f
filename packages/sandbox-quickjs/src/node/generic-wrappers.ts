import { setFlagsFromString } from 'node:v8';

let isSet = false;

/**
 * Keeps V8 from compiling a wrapper for each import of a WebAssembly instance after 1,000 calls; the generic one stays
 * in use. V8 shares compiled wrappers between threads and frees one twice if threads drop it at the same moment, which
 * ends the process (https://github.com/nodejs/node/issues/64500): a pool whose workers come and go meets that.
 */
export function keepGenericWrappers(): void {
  if (isSet) return;
  isSet = true;
  try {
    setFlagsFromString('--wasm-wrapper-tiering-budget=2000000000');
  } catch {
    // A runtime without V8 has neither the flag nor the fault.
  }
}
