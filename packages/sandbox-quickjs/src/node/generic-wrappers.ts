import { setFlagsFromString } from 'node:v8';

let isSet = false;

/**
 * Keeps V8 from compiling a wrapper for each import of a WebAssembly instance after 1,000 calls; the generic one stays
 * in use. V8 shares compiled wrappers between threads and frees one twice if threads drop it at the same time, which
 * crashes the process (https://github.com/nodejs/node/issues/64500). A pool that starts and stops workers triggers
 * this. Each worker calls it once it has started: with another flag V8 discards its cached code of Node.js, and a
 * thread takes twice as long to start.
 */
export function keepGenericWrappers(): void {
  if (isSet) return;
  isSet = true;
  try {
    setFlagsFromString('--wasm-wrapper-tiering-budget=2000000000');
  } catch {
    // Runtimes without V8 have neither the flag nor the bug.
  }
}
