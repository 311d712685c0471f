import type { EngineName } from './engine/engine.ts';
import type { SandboxLimits } from './sandbox.ts';

/** Options of all sandboxes, in browsers and in Node.js. */
export interface SandboxOptions {
  /** Engine build. Default: `quickjs-wasi`. */
  readonly engine?: EngineName;
  /** The engine's WebAssembly, for single-file bundles. Default: the file shipped with the engine. */
  readonly wasm?: WebAssembly.Module | Uint8Array<ArrayBuffer> | URL;
  /** Resource limits of scripts that set none themselves. */
  readonly limits?: Partial<SandboxLimits>;
  /**
   * True to run all code on the caller's thread, without workers. A script blocks the thread for up to 250 ms, and
   * without limit in operations that QuickJS cannot interrupt: never run untrusted code so. Default: false.
   */
  readonly inline?: boolean;
  /** Maximum number of parallel scripts; further ones wait. Default: 4, or one less than the number of cores. */
  readonly maxWorkers?: number;
  /**
   * Additional scripts allowed while others wait for host functions, which may run scripts themselves. If no more are
   * allowed and none is running, the next script is refused at once. Default: 32.
   */
  readonly maxWaiting?: number;
  /** Time that an idle worker is kept ready, in milliseconds. Default: 60,000. */
  readonly idleMs?: number;
  /** Time for QuickJS to stop a script before its worker is terminated, in milliseconds. Default: 300. */
  readonly graceMs?: number;
}
